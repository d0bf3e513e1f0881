internal import BulkSupport
internal import BulkStore

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
    /// Refuses links that lead out of the store's folder, unless that is allowed.
    package init?(
      of store: String,
      missing: Int64,
      unless allowed: Set<PlanAllowance>
    ) throws(PlanError) {
      self.missing = missing
      let folder = ExternalBinaryData.supportFolder(of: store)
      // The run reports other faults.
      do {
        let bounds = ExternalBinaryData.bounds(of: store)
        (count, bytes, _) = try FolderWalk.files(in: folder, bounds: bounds)
      } catch FolderWalk.Fault.leadsOut(let path, let target) {
        guard allowed.contains(.externalLinks) else { throw .linkLeadsOut(path, to: target) }
        followsLinks = true
        (count, bytes, _) = (try? FolderWalk.files(in: folder, bounds: nil)) ?? (0, 0, nil)
      } catch {}
      if count + missing == 0 { return nil }
    }

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
  package static func linkLeadsOut(_ path: String, to target: String) -> PlanError {
    .notAllowed(
      .externalLinks,
      "\(path) leads to \(target), outside of the folder of the store; external values are copied, so what it holds "
        + "would be in the destination"
    )
  }
}
