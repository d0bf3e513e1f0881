import BulkCoding
import BulkPlan

extension PlanText {
  private static let alikeLimit = 2

  static func sum(ofCopied entities: [MigrationPlan.EntityChange]) -> String {
    let rows = entities.reduce(0) { $0 + $1.rows }.grouped
    return
      "\(entities.count) \(entities.count == 1 ? "entity" : "entities") copied, \(rows) rows: \(entities.map(\.entity).joined(separator: ", "))"
  }

  func table(
    of entities: [MigrationPlan.EntityChange],
    isCounted: Bool = true
  ) -> TextTable {
    var table =
      isCounted
      ? TextTable(.left("  ENTITY"), .right("ROWS"), .left("CHANGE"))
      : TextTable(.left("  ENTITY"), .left("CHANGE"))
    for entity in extent == .full ? entities : grouped(entities) {
      let details = conditions(entity) + entity.details
      let first = details.first.map { ": \($0)" } ?? ""
      let bound = entity.forEach == nil ? Self.bound(ifUpper: entity.isUpperBound) : "from "
      let rows = isCounted ? [bound + entity.rows.grouped] : []
      table.append(["\(entity.change.mark) \(entity.entity)"] + rows + [verb(entity) + first])
      for detail in details.dropFirst() {
        table.append([""] + rows.map { _ in "" } + ["  \(detail)"])
      }
    }
    return table
  }

  func isMerelyCopied(_ entity: MigrationPlan.EntityChange) -> Bool {
    entity.change == .copied && conditions(entity) + entity.details == []
  }

  /// Entities that change in the same way, as subentities do by an attribute of their superentity, as one.
  private func grouped(
    _ entities: [MigrationPlan.EntityChange]
  ) -> [MigrationPlan.EntityChange] {
    let groups = Dictionary(grouping: entities.indices) { index -> [String] in
      let entity = entities[index]
      let isAlike =
        entity.change == .transformed && entity.from ?? entity.entity == entity.entity
        && entity.forEach == nil
      return isAlike ? conditions(entity) + entity.details : ["", "\(index)"]
    }
    return groups.values.sorted { $0[0] < $1[0] }.flatMap { indices in
      let alike = indices.map { entities[$0] }
      guard alike.count > Self.alikeLimit, var one = alike.first else { return alike }
      one.entity += " and \(alike.count - 1) others"
      one.rows = alike.reduce(0) { $0 + $1.rows }
      one.isUpperBound = alike.contains { $0.isUpperBound == true } ? true : nil
      one.details.append("all of " + alike.map(\.entity).joined(separator: ", "))
      return [one]
    }
  }

  private func conditions(_ entity: MigrationPlan.EntityChange) -> [String] {
    [
      entity.filter.map { "only where \($0)" },
      entity.policy.map { "by policy \($0)" },
      entity.forEach.map { "for each of \($0)" },
      entity.unique.map {
        "unique by \($0.joined(separator: ", ")); keep \(entity.keep ?? "first")"
      },
    ].compactMap(\.self)
  }

  private func verb(_ entity: MigrationPlan.EntityChange) -> String {
    switch entity.change {
    case .copied: "copied"
    case .renamed: "renamed from \(entity.from ?? "another name")"
    case .transformed: "changed"
    case .made: "made from \(entity.from ?? "another entity")"
    case .added: "added"
    case .removed:
      "removed" + (entity.rowsLost == 0 ? "" : ", \(entity.rowsLost.grouped) rows are lost")
    }
  }
}

extension MigrationPlan.EntityChange.Kind {
  fileprivate var mark: Character {
    switch self {
    case .added, .made: "+"
    case .transformed, .renamed: "~"
    case .removed: "-"
    case .copied: " "
    }
  }
}

extension [MigrationPlan.EntityChange] {
  var kinds: [(MigrationPlan.EntityChange.Kind, word: String, names: [String])] {
    let words: [(MigrationPlan.EntityChange.Kind, String)] = [
      (.transformed, "changed"), (.made, "made"), (.renamed, "renamed"), (.added, "added"),
      (.removed, "removed"), (.copied, "copied"),
    ]
    return words.compactMap { kind, word in
      // Several mappings may lead to one entity.
      var names: [String] = []
      for entity in self where entity.change == kind && !names.contains(entity.entity) {
        names.append(entity.entity)
      }
      return names.isEmpty ? nil : (kind, word, names)
    }
  }

  var counts: String {
    kinds.map { "\($0.names.count) \($0.word)" }.joined(separator: ", ")
  }
}
