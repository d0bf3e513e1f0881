package import BulkStore

extension MigrationPlan {
  /// The list of the work by which a new file becomes the destination, or by which a copy of the source does.
  package func list(_ work: StepWork, changing changes: StoreChanges?) -> WorkList {
    changes.map { WorkList(changing: work, by: $0) }
      ?? WorkList(filling: work, in: passes.map(\.entities.contents))
  }
}

extension WorkList {
  package var lines: [String] {
    entries.map { entry in entry.pass.map { "pass \($0): \(entry.item)" } ?? "\(entry.item)" }
  }

  /// The digest of the items, in hexadecimal, by which a plan knows the list.
  package var digest: String { Digest.text(of: Array(lines.joined(separator: "\n").utf8)) }
}

extension [MigrationPlan.EntityChange] {
  var contents: PassContents {
    PassContents(
      // A removed entity may have the name of an existing one.
      entities: filter { $0.change != .removed }.map(\.entity),
      mappings: compactMap(\.mapping)
    )
  }
}
