internal import BulkStore
internal import BulkPlatform

/// The names of a store that was replaced by its migrated one.
///
/// As Core Data does, a `~` stands before the extension: `Notes~.sqlite`.
struct KeptStore {
  /// The store that is migrated in place.
  let store: String

  init(_ store: String) { self.store = store }

  /// The store as it was before the migration.
  var kept: DestinationFiles { DestinationFiles(name("~")) }

  /// The migrated store, after a rollback.
  var undone: DestinationFiles { DestinationFiles(name("~undone")) }

  /// Where the migrated store is made.
  var folder: String { store + ".bulkmigrate" }

  /// The migrated store before it takes its place.
  var new: DestinationFiles {
    DestinationFiles("\(folder)/new/\(URL(fileURLWithPath: store).lastPathComponent)")
  }

  private func name(_ suffix: String) -> String {
    let url = URL(fileURLWithPath: store)
    let bare = url.deletingPathExtension().path + suffix
    return url.pathExtension.isEmpty ? bare : "\(bare).\(url.pathExtension)"
  }
}
