internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Proves that objects made in one leg equal those that the last step would make from the version before it:
/// the same rows in the same order under the same keys.
///
/// The proof reads no rows, so it compares only the order of key ranges; the length of a range must not
/// depend on rows that the version leaves out.
struct BuildingProof {
  let earlier: StepWork
  let next: StepWork
  let instances: InstanceWork

  /// The differences, a sentence each.
  func differences() -> [String] {
    keys() + (next.keepsKeys ? movedRows() : rows(next.instances))
  }

  private func keys() -> [String] {
    let composed = instances.offsets
    let alone = next.instances.offsets.filter { composed[$0.key] != nil }
    let shifted =
      composed.filter { $0.value != (alone[$0.key] ?? 0) }.map(\.key)
      + moved(where: alone.values.contains { $0 != 0 })
    return Set(shifted).sorted().map {
      "keys of objects of \($0) follow from the rows of the version before \(next.last.name)"
    }
  }

  /// The entity mappings whose keys another step moves again, or that give keys to rows which may not be
  /// those of the store.
  private func moved(where isShifted: Bool) -> [String] {
    if !earlier.keepsKeys {
      let before = earlier.instances.offsets.filter { $0.value != 0 }.map(\.key)
      return before + (isShifted ? [next.last.name] : [])
    }
    guard isShifted else { return [] }
    var tables: Set<String> = []
    let isWhole = earlier.transfers.entityRows.allSatisfy {
      $0.conditions.isEmpty && tables.insert($0.source).inserted
    }
    return isWhole ? [] : [next.last.name]
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
      guard let place = rest.firstIndex(where: { $0.isBuiltLike(transfer) }) else {
        return ["pairs of \(transfer.destination) get another order"]
      }
      rest = rest[(place + 1)...]
    }
    return []
  }

  /// The last step moves rows that are complete, in the order of their keys.
  private func movedRows() -> [String] {
    var reasons: [String] = []
    let creations = Dictionary(grouping: instances.creations, by: \.mapping.destinationTable)
    for (table, all) in creations.sorted(by: { $0.key < $1.key }) {
      if all.count > 1 { reasons.append("\(table) takes objects of several entity mappings") }
    }
    reasons += instances.links.map { "\($0.form.first) is set when other objects are there" }
    if !instances.transfers.orderings.isEmpty {
      reasons.append("places are given when all rows are there")
    }
    guard !earlier.keepsKeys else { return reasons }
    let (before, after) = (earlier.transfers.joinRows, instances.transfers.joinRows)
    if before.map(\.keepsRowIDs) != after.map(\.keepsRowIDs) {
      reasons.append("pairs get their order in the version before \(next.last.name)")
    }
    return reasons
      + next.transfers.entityRows.filter { !$0.conditions.isEmpty }.map {
        "the keys that \($0.source) gave out are known when its rows are there"
      }
  }
}

extension InstanceWork {
  /// The offsets added to source keys, by entity mapping.
  fileprivate var offsets: [String: Int64] {
    Dictionary(firstOf: creations.map { ($0.mapping.mapping.name, $0.mapping.keyOffset) })
  }

  /// The tables whose rows one transfer describes with all their values.
  var tablesOfOneTransfer: Set<String> {
    let byTable = Dictionary(grouping: creations, by: \.mapping.destinationTable)
    return Set(byTable.filter { $0.value.count == 1 && $0.value[0].isTransfer }.keys)
  }
}

extension RowTransfer {
  /// Whether rows keep their rowids.
  fileprivate var keepsRowIDs: Bool { assignments.contains { $0.column == "rowid" } }

  /// Whether both write rows of the same table in the same way.
  fileprivate func isBuiltLike(_ other: RowTransfer) -> Bool {
    destination == other.destination && ignoresDuplicates == other.ignoresDuplicates
      && assignments.map(\.column) == other.assignments.map(\.column)
  }
}
