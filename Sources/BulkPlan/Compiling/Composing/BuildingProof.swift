internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Proves that objects made in one leg equal those that the last step would make from the version that inferred steps
/// leave: the same rows in the same order under the same keys.
///
/// The proof reads no rows, so it compares only the order of key ranges.
struct BuildingProof {
  let earlier: StepWork
  let next: StepWork
  let instances: InstanceWork

  /// A sentence each.
  func differences() -> [String] { keys() + rows(next.instances) }

  private func keys() -> [String] {
    let composed = instances.offsets
    let alone = next.instances.offsets.filter { composed[$0.key] != nil }
    let shifted = composed.filter { $0.value != (alone[$0.key] ?? 0) }.map(\.key)
    let isMoved = alone.values.contains { $0 != 0 } && !isWhole
    return Set(shifted + (isMoved ? [next.last.name] : [])).sorted().map {
      "keys of objects of \($0) follow from the rows of the version before \(next.last.name)"
    }
  }

  /// Whether the inferred steps keep all rows of every table, so that the version has the store's highest keys.
  private var isWhole: Bool {
    var tables: Set<String> = []
    return earlier.transfers.entityRows.allSatisfy {
      $0.conditions.isEmpty && tables.insert($0.source).inserted
    }
  }

  private func rows(_ alone: InstanceWork) -> [String] {
    let (links, others) = (Set(instances.links.map(\.form)), Set(alone.links.map(\.form)))
    return links.symmetricDifference(others).map { "\($0.first)" }.sorted().map {
      "\($0) is set when other objects are there"
    } + pairs(alone.transfers.joinRows)
      + (Set(instances.checks).isSubset(of: alone.checks)
        ? [] : ["references in \(next.last.name) are looked at otherwise"])
  }

  /// The pairs must come in the same order and get the same rowids.
  private func pairs(_ alone: [RowTransfer]) -> [String] {
    var rest = alone[...]
    for transfer in instances.transfers.joinRows {
      guard let index = rest.firstIndex(where: { $0.isBuiltLike(transfer) }) else {
        return ["pairs of \(transfer.destination) get another order"]
      }
      rest = rest[(index + 1)...]
    }
    return []
  }
}

extension InstanceWork {
  fileprivate var offsets: [String: Int64] {
    Dictionary(firstOf: creations.map { ($0.mapping.mapping.name, $0.mapping.keyOffset) })
  }
}

extension RowTransfer {
  fileprivate func isBuiltLike(_ other: RowTransfer) -> Bool {
    destination == other.destination && ignoresDuplicates == other.ignoresDuplicates
      && assignments.map(\.column) == other.assignments.map(\.column)
  }
}
