internal import BulkSupport
internal import BulkPlan
package import BulkStore

/// A copy of a damaged store without its pages that cannot be read.
package struct SalvagedStore: Encodable {
  private let outcome = "done"
  /// The damaged store and the copy, as they were named.
  package let store: String
  package let copy: String
  /// The pages, by table and key.
  package let lost: [LostPage]

  private enum CodingKeys: CodingKey { case outcome, store, copy, lost }

  package var rows: Int64 {
    lost.reduce(0) { $0.addingReportingOverflow($1.rows).overflow ? .max : $0 + $1.rows }
  }

  package var lines: [String] {
    lost.map {
      let most = $0.isUpperBound == true ? "at most " : ""
      return "  \(most)\($0.rows.grouped) \($0.rows == 1 ? "row" : "rows"): \($0)"
    }
  }

  /// Writes the copy, with the external values of the store; it has its name when it is complete and synced.
  ///
  /// The drafts of attempts that were killed are removed first. `watch` is called every few milliseconds with
  /// what is done, and the bytes of all of it, 0 if they are not known; it returns whether to stop. `allow`
  /// refuses, by an error, a copy without some pages; nothing is left of it then.
  package static func write(
    _ store: String,
    to copy: String,
    watch: @escaping (_ stage: String, _ bytes: Int64) -> Bool = { _, _ in false },
    allow: (SalvagedStore) throws -> Void
  ) throws -> SalvagedStore {
    let source = FilePath.absolute(store)
    let files = DestinationFiles(FilePath.absolute(copy))
    if let obstacle = DestinationObstacle(files.store) {
      throw MigrationError.cannotCreate(path: obstacle.path, reason: obstacle.reason)
    }
    SalvageDraft.removeAbandoned(of: files)
    let damaged = try MigrationError.planning(try PersistentStore.planned(at: source))
    return try MigrationError.translatingFileErrors {
      let draft = try SalvageDraft(of: files)
      let size = try DurableFiles.size(of: source)
      defer { draft.remove() }
      let lost: [LostPage]
      do throws(StoreError) {
        lost = try damaged.salvage(to: draft.path) { watch($0.rawValue, size) }
      } catch {
        throw MigrationError(error, source: source, scratch: draft.path)
      }
      let salvaged = SalvagedStore(store: store, copy: copy, lost: lost)
      try allow(salvaged)
      guard !damaged.hasChanged else { throw MigrationError.changedSource(source) }
      try FilePermissions(of: source).grant(to: draft.path)
      try DurableFiles.synchronize(draft.path)
      let values = ExternalBinaryData.supportFolder(of: source)
      let hasValues = DurableFiles.exists(values)
      if hasValues {
        var folder = FolderCopy(bounds: ExternalBinaryData.bounds(of: source))
        folder.report = { _ in
          if watch("copying external values", 0) { throw MigrationError.cancelled }
        }
        try folder.make(of: values, as: draft.values)
      }
      // From here on it is too late to stop.
      if hasValues { try DurableFiles.move(draft.values, to: files.externalSupport) }
      do {
        try DurableFiles.publish(draft.path, as: files.store)
      } catch {
        if hasValues { try? FileManager.default.removeItem(atPath: files.externalSupport) }
        throw error
      }
      try DurableFiles.synchronize(files.directory)
      return salvaged
    }
  }
}

/// The files of a copy before they have their names, which this process holds by a lock of the first.
private struct SalvageDraft {
  let path: String
  private let descriptor: Int32
  var values: String { Self.values(path) }

  private static func values(_ path: String) -> String { path + ".values" }

  private static func beginning(_ files: DestinationFiles) -> String { files.store + ".salvage-" }

  init(of files: DestinationFiles) throws(FileError) {
    path = Self.beginning(files) + SystemHost.current.identifier()
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .last(path) }
  }

  func remove() {
    Self.remove(path)
    close(descriptor)
  }

  private static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: values(path))
    try? FileManager.default.removeItem(atPath: path)
  }

  static func removeAbandoned(of files: DestinationFiles) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: files.directory)) ?? []
    for name in names {
      let path = "\(files.directory)/\(name)"
      guard path.hasPrefix(beginning(files)), !path.hasSuffix(values("")) else { continue }
      let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { remove(path) }
      close(file)
    }
  }
}
