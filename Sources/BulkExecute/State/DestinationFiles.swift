internal import BulkStore
internal import Foundation

/// The files that make up a store under a name.
///
/// They are the database, SQLite's files beside it, and the folder of external binary data; they come
/// and go as one.
struct DestinationFiles {
  /// The database file.
  let store: String

  init(_ store: String) { self.store = store }

  /// The folder with the values that lie outside of the database.
  var externalSupport: String { ExternalBinaryData.supportFolder(of: store) }

  /// Everything that there may be under the name.
  private var all: [String] {
    [store, store + "-wal", store + "-shm", store + "-journal", externalSupport]
  }

  /// Refuses to go on where any of the files is there.
  ///
  /// - Parameter besidesExternalData: Whether the folder of external data was brought there already.
  /// - Throws: ``MigrationError/destinationExists(_:)``.
  func refuseExisting(besidesExternalData: Bool = false) throws(MigrationError) {
    let existing = all.filter { !besidesExternalData || $0 != externalSupport }
      .first(where: DurableFiles.exists)
    if let existing { throw .destinationExists(existing) }
  }

  /// Removes them all.
  func remove() {
    for path in all { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The folder in which the store lies.
  var directory: String {
    guard let slash = store.lastIndex(of: "/") else { return "." }
    return slash == store.startIndex ? "/" : String(store[..<slash])
  }
}
