internal import BulkStore
internal import BulkSupport

/// The files that make up a store.
///
/// They are the database, SQLite's files beside it, and the folder of external binary data; they are
/// published and removed together.
struct DestinationFiles {
  let store: String

  init(_ store: String) { self.store = store }

  var externalSupport: String { ExternalBinaryData.supportFolder(of: store) }

  private var all: [String] {
    [store, store + "-wal", store + "-shm", store + "-journal", externalSupport]
  }

  var existing: String? { all.first(where: DurableFiles.exists) }

  /// External data are left aside where they were published already.
  func refuseExisting(besidesExternalData: Bool = false) throws(MigrationError) {
    let existing = all.filter { !besidesExternalData || $0 != externalSupport }
      .first(where: DurableFiles.exists)
    if let existing { throw .destinationExists(existing) }
  }

  func remove() {
    for path in all { try? FileManager.default.removeItem(atPath: path) }
  }

  var directory: String {
    guard let slash = store.lastIndex(of: "/") else { return "." }
    return slash == store.startIndex ? "/" : String(store[..<slash])
  }
}

package struct DestinationObstacle: Hashable, Sendable {
  package let path: String
  /// As a clause.
  package let reason: String

  package init?(_ store: String) {
    let files = DestinationFiles(store)
    if let existing = files.existing {
      (path, reason) = (existing, "already exists and is not overwritten")
    } else if !DurableFiles.exists(files.directory) {
      (path, reason) = (files.directory, "is the destination's folder and does not exist")
    } else if !FileManager.default.isWritableFile(atPath: files.directory) {
      (path, reason) = (
        files.directory, "is the destination's folder, and nothing may be made in it"
      )
    } else {
      return nil
    }
  }
}
