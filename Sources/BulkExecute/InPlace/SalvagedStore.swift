internal import BulkCoding
internal import BulkPlan
internal import BulkPlatform
package import BulkStore
internal import BulkVersions

/// A copy of a damaged store without its pages that cannot be read.
package struct SalvagedStore: Encodable {
  private let outcome = "done"
  /// The damaged store and the copy, as they were named.
  package let store: String
  package let copy: String
  /// The pages, by table and key.
  package let lost: [LostPage]

  private enum CodingKeys: CodingKey { case outcome, store, copy, lost }

  /// The rows of the pages, or at most as many.
  package var rows: Int64 {
    lost.reduce(0) { $0.addingReportingOverflow($1.rows).overflow ? .max : $0 + $1.rows }
  }

  /// A line for each page.
  package var lines: [String] {
    lost.map {
      let most = $0.isUpperBound == true ? "at most " : ""
      return "  \(most)\($0.rows.grouped) \($0.rows == 1 ? "row" : "rows"): \($0)"
    }
  }

  /// Writes the copy, with the external values of the store; it has its name when it is complete and synced.
  ///
  /// - Parameters:
  ///   - store: The damaged store.
  ///   - copy: The name of the copy, which nothing may have.
  ///   - allow: Refuses, by an error, a copy without some pages; nothing is left of it then.
  /// - Returns: The copy.
  /// - Throws: ``MigrationError``, and the error of `allow`.
  package static func write(
    _ store: String,
    to copy: String,
    allow: (SalvagedStore) throws -> Void
  ) throws -> SalvagedStore {
    let (source, files) = (FilePath.absolute(store), DestinationFiles(FilePath.absolute(copy)))
    if let obstacle = DestinationObstacle(files.store) {
      throw MigrationError.cannotCreate(path: obstacle.path, reason: obstacle.reason)
    }
    let damaged = try MigrationError.planning(try PersistentStore.planned(at: source))
    let draft = "\(files.store).salvage-\(SystemHost.current.identifier())"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    return try MigrationError.translatingFileErrors {
      let isMade = FileManager.default.createFile(
        atPath: draft,
        contents: nil,
        attributes: [.posixPermissions: 0o600]
      )
      guard isMade else { throw FileError.last(draft) }
      let lost: [LostPage]
      do throws(StoreError) { lost = try damaged.salvage(to: draft) } catch {
        throw MigrationError(error, source: source, scratch: draft)
      }
      let salvaged = SalvagedStore(store: store, copy: copy, lost: lost)
      try allow(salvaged)
      guard !damaged.hasChanged else { throw MigrationError.changedSource(source) }
      try FilePermissions(of: source).grant(to: draft)
      try DurableFiles.synchronize(draft)
      let values = ExternalBinaryData.supportFolder(of: source)
      if DurableFiles.exists(values) {
        let bounds = ExternalBinaryData.bounds(of: source)
        try FolderCopy(bounds: bounds).make(of: values, as: files.externalSupport)
      }
      do {
        try DurableFiles.publish(draft, as: files.store)
      } catch {
        try? FileManager.default.removeItem(atPath: files.externalSupport)
        throw error
      }
      try DurableFiles.synchronize(files.directory)
      return salvaged
    }
  }
}
