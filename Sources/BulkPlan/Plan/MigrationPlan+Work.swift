package import BulkLowering
package import BulkStore
internal import BulkVersions

extension MigrationPlan {
  /// The work list as a plan holds it.
  ///
  /// Nobody carries it out: whoever works derives the list again, and compares its digest.
  public struct PrintedWork: Codable, Hashable, Sendable {
    /// The digest of the items, in hexadecimal.
    public var digest: String
    /// The items in their order, a line each.
    public var items: [String]
  }

  /// The list of the work by which a new file becomes the destination, or by which a copy of the source does.
  package func list(_ work: StepWork, changing changes: StoreChanges?) -> WorkList {
    changes.map { WorkList(changing: work, by: $0) }
      ?? WorkList(filling: work, in: passes.map(\.entities.contents))
  }
}

extension MigrationPlan.PrintedWork {
  package init(_ list: WorkList) {
    items = list.entries.map { entry in
      entry.pass.map { "pass \($0): \(entry.item)" } ?? "\(entry.item)"
    }
    digest = Digest.text(of: Array(items.joined(separator: "\n").utf8))
  }
}

extension [MigrationPlan.EntityChange] {
  /// The part of the work that a pass with these changes does.
  var contents: PassContents {
    PassContents(
      // A removed entity may have the name of an existing one.
      entities: filter { $0.change != .removed }.map(\.entity),
      mappings: compactMap(\.mapping)
    )
  }
}
