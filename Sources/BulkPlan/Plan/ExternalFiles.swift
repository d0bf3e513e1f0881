internal import BulkPlatform
internal import BulkStore
package import BulkVersions

extension MigrationPlan {
  /// The files with external values beside a store, which are copied with it.
  public struct ExternalFiles: Codable, Hashable, Sendable {
    /// The number of files.
    public var count: Int64 = 0
    /// Their bytes.
    public var bytes: Int64 = 0
    /// The number of values whose file is missing.
    public var missing: Int64
    /// True where links lead to some of them outside of the store's folder; absent otherwise.
    public var followsLinks: Bool?

    /// Counts the files beside a store; `nil` if none is there or missing.
    ///
    /// - Throws: ``PlanError/notAllowed(_:_:)`` if links lead out of the store's folder and that is not allowed.
    package init?(
      of store: String,
      missing: Int64,
      unless allowed: Set<PlanAllowance>
    ) throws(PlanError) {
      self.missing = missing
      let fault = countFiles(store)
      if case .leadsOut(let path, let target)? = fault {
        guard allowed.contains(.externalLinks) else { throw .linkLeadsOut(path, to: target) }
        followsLinks = true
        // The run tells of other faults.
        _ = countFiles(store)
      }
      if count + missing == 0 { return nil }
    }

    private mutating func countFiles(_ store: String) -> FolderWalk.Fault? {
      let bounds = followsLinks == true ? nil : ExternalBinaryData.bounds(of: store)
      var walk = FolderWalk(ExternalBinaryData.supportFolder(of: store), bounds: bounds)
      (count, bytes) = (0, 0)
      do {
        try walk.run { item in
          guard !item.isFolder else { return }
          count += 1
          bytes += Int64(item.status.st_size)
        }
        return nil
      } catch {
        return error as? FolderWalk.Fault
      }
    }

    /// The estimated time for copying them, in seconds.
    package var estimatedSeconds: Double { CostModel.seconds(files: count, bytes: bytes) }
  }
}

extension MigrationPlan.SourceInput {
  /// The folder out of which no link among external values may lead; `nil` if links may lead anywhere.
  package var boundsOfLinks: String? {
    externalFiles?.followsLinks == true ? nil : ExternalBinaryData.bounds(of: store)
  }
}

extension PlanError {
  /// A link leads out of the folder of a store.
  package static func linkLeadsOut(_ path: String, to target: String) -> PlanError {
    .notAllowed(
      .externalLinks,
      "\(path) leads to \(target), outside of the folder of the store; external values are copied, so what is there "
        + "would be in the destination"
    )
  }
}
