package import BulkStore

/// Composes the transfers of two steps: from the source store directly to the version after the second step.
///
/// The version between them is never made; each of its rows is expressed as the row of the store that it
/// comes from.
struct TransferComposition {
  private let source: StoreSchema
  private let tables: VersionTables

  init(_ first: TransferSet, from source: StoreSchema) {
    self.source = source
    tables = VersionTables(first)
  }

  /// Throws ``FusionBarrier`` if the transfers need rows of the version between.
  func composed(with second: TransferSet) throws(FusionBarrier) -> TransferSet {
    var result = second
    result.entityRows = []
    for transfer in second.entityRows {
      if let composed = try entityRows(transfer) { result.entityRows.append(composed) }
    }
    result.joinRows = []
    for transfer in second.joinRows { result.joinRows += try joinRows(transfer) }
    return result
  }

  private func entityRows(_ second: RowTransfer) throws(FusionBarrier) -> RowTransfer? {
    guard let first = tables.entityRows[second.source] else { return nil }
    let rows = RowSubstitution(first, in: tables)
    let numbers = second.entityNumbers
    let entities = rows.numbers.filter { numbers[$0.value] != nil }.keys.sorted()
    // A table without rows still has the highest key that it ever gave out.
    guard !entities.isEmpty else {
      return RowTransfer(ofNothingTo: second.destination, from: first.source)
    }
    return try composed(second, first, of: entities, in: rows)
  }

  private func joinRows(_ second: RowTransfer) throws(FusionBarrier) -> [RowTransfer] {
    if let first = tables.entityRows[second.source] {
      return [try pairs(second, inRowsOf: first)].compactMap(\.self)
    }
    let all = tables.joinRows[second.source, default: []]
    let keepsRowIDs = all.filter { $0.value(of: "rowid") != .null }.count
    guard
      keepsRowIDs == 0 && second.conditions.isEmpty || keepsRowIDs == 1 && all.count == 1
        || all.isEmpty
    else {
      throw FusionBarrier("pairs are taken from \(second.source) by the order that they get there")
    }
    var result: [RowTransfer] = []
    for first in all {
      if let transfer = try pairs(second, inJoinRowsOf: first) { result.append(transfer) }
    }
    return result
  }

  private func pairs(
    _ second: RowTransfer,
    inRowsOf first: RowTransfer
  ) throws(FusionBarrier) -> RowTransfer? {
    let rows = RowSubstitution(first, in: tables)
    var entities = rows.numbers.keys.sorted()
    for case .isIn("Z_ENT", let numbers) in second.conditions {
      entities.removeAll { entity in rows.numbers[entity].map { !numbers.contains($0) } ?? true }
    }
    return try composed(second, first, of: entities, in: rows)
  }

  private func composed(
    _ second: RowTransfer,
    _ first: RowTransfer,
    of entities: [Int64],
    in rows: RowSubstitution
  ) throws(FusionBarrier) -> RowTransfer? {
    let conditions = source.entityCondition(entities, inTable: first.source)
    return try composed(second, first, where: conditions) { expression throws(FusionBarrier) in
      try rows.value(expression, of: entities)
    }
  }

  private func pairs(
    _ second: RowTransfer,
    inJoinRowsOf first: RowTransfer
  ) throws(FusionBarrier) -> RowTransfer? {
    try composed(second, first, where: first.conditions) { expression throws(FusionBarrier) in
      guard case .column(let name) = expression else {
        throw FusionBarrier("pairs of \(second.destination) are computed from \(second.source)")
      }
      return first.value(of: name)
    }
  }

  /// `nil` if there are no such rows.
  private func composed(
    _ second: RowTransfer,
    _ first: RowTransfer,
    where conditions: [ColumnExpression],
    _ value: (ColumnExpression) throws(FusionBarrier) -> ColumnExpression
  ) throws(FusionBarrier) -> RowTransfer? {
    var conditions = conditions
    for condition in second.conditions {
      switch condition {
      case .isIn("Z_ENT", _): continue
      case .not(.isNull(let expression)):
        let found = try value(expression)
        guard found != .null else { return nil }
        if !conditions.contains(.notNull(found)) { conditions.append(.notNull(found)) }
      case .partner(let key, let table, let numbers):
        guard let partners = tables.entityRows[table] else { return nil }
        let before = partners.entityNumbers.filter { numbers.contains($0.value) }.keys.sorted()
        let condition = ColumnExpression.partner(
          key: try value(key),
          table: partners.source,
          entityIn: before
        )
        if !conditions.contains(condition) { conditions.append(condition) }
      default:
        throw FusionBarrier("pairs of \(second.destination) are chosen by what the version holds")
      }
    }
    var assignments: [RowTransfer.Assignment] = []
    for assignment in second.assignments {
      let value = try value(assignment.value)
      if value != .null { assignments.append(.init(assignment.column, value)) }
    }
    return RowTransfer(
      to: second.destination,
      from: first.source,
      assignments,
      where: conditions,
      ignoresDuplicates: first.ignoresDuplicates || second.ignoresDuplicates
    )
  }
}

/// The reasons why a step cannot join the leg before it, a sentence each.
package struct FusionBarrier: Error, Hashable {
  package let reasons: [String]

  package init(_ reasons: [String]) { self.reasons = reasons }

  package init(_ reason: String) { reasons = [reason] }

  package static func refuse(_ reasons: [String]) throws(FusionBarrier) {
    guard reasons.isEmpty else { throw FusionBarrier(reasons) }
  }
}

/// A source column whose values must be stored in their rows.
package struct ExternalSourceColumn: Hashable, Sendable {
  package let table: String
  package let column: String

  /// Those whose values move to columns that cannot refer to files.
  package static func all(in transfers: TransferSet) -> [ExternalSourceColumn] {
    transfers.entityRows.flatMap { transfer in
      transfer.assignments.flatMap(\.value.unprefixedColumns).map {
        ExternalSourceColumn(table: transfer.source, column: $0)
      }
    }
  }
}

/// A to-one relationship that keeps one of several objects.
package struct PartnerChoice: Hashable, Sendable {
  /// As `Entity.relationship` of the version that keeps one.
  package let owner: String
  package let choice: FirstPartner
  /// Whether some objects may not be migrated, so that others take their place.
  package internal(set) var mayBeDropped = false
  package internal(set) var isRefused = false

  package static func all(
    in composed: TransferSet,
    describedBy step: TransferSet,
    to schema: StoreSchema
  ) -> [PartnerChoice] {
    step.entityRows.flatMap { transfer in
      let table = schema.entityTable(named: transfer.destination)
      let columns = Set(transfer.assignments.filter { !$0.value.choices.isEmpty }.map(\.column))
      return composed.entityRows.filter { $0.destination == transfer.destination }
        .flatMap(\.assignments).filter { columns.contains($0.column) }.flatMap { assignment in
          let role = table?.columns.first { $0.name == assignment.column }?.role
          let owner =
            switch role {
            case .foreignKey(let key), .hiddenForeignKey(let key): "\(key)"
            default: "\(transfer.destination).\(assignment.column)"
            }
          return assignment.value.choices.map { PartnerChoice(owner: owner, choice: $0) }
        }
    }
  }
}

extension InstanceWork {
  package func choices(to schema: StoreSchema) -> [PartnerChoice] {
    PartnerChoice.all(in: transfers, describedBy: transfers, to: schema) + links.flatMap(\.choices)
  }
}

extension LinkedRelationship {
  fileprivate var choices: [PartnerChoice] {
    guard case .rows(let columns) = storage else { return [] }
    return assignments.compactMap { side in
      guard form.isToOne(side.end), let query = side.query, query.steps.count == 1,
        query.steps[0].nearColumn != "Z_PK", columns.contains(where: { $0.end == side.end })
      else { return nil }
      return PartnerChoice(
        owner: side.name,
        choice: FirstPartner(lookup: query.steps[0].asWritten, inverseLookup: nil),
        mayBeDropped: true,
        isRefused: side.takesOne
      )
    }
  }
}
