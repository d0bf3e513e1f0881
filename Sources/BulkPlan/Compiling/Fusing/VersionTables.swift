internal import BulkModel
package import BulkStore

/// The rows of a version between two steps, expressed as rows of the source store.
struct VersionTables {
  /// By table; a table without rows is not among them.
  let entityRows: [String: RowTransfer]
  /// By table, in their order.
  let joinRows: [String: [RowTransfer]]

  init(_ transfers: TransferSet) {
    entityRows = Dictionary(firstOf: transfers.entityRows.map { ($0.destination, $0) })
    joinRows = Dictionary(grouping: transfers.joinRows, by: \.destination)
  }

  /// Rewritten for a table of the store; `nil` where that is empty.
  ///
  /// Throws ``FusionBarrier`` if the table's rows and values are not those of one table.
  func lookup(_ lookup: RelationshipRows) throws(FusionBarrier) -> RelationshipRows? {
    let all = [entityRows[lookup.table]].compactMap(\.self) + joinRows[lookup.table, default: []]
    guard let transfer = all.first else { return nil }
    guard all.count == 1, transfer.keepsPairs(of: lookup) else {
      throw FusionBarrier("objects are chosen by rows of \(lookup.table) that are not made yet")
    }
    func column(_ name: String) throws(FusionBarrier) -> String {
      guard case .column(let column) = transfer.value(of: name) else {
        throw FusionBarrier(
          "objects are chosen by \(lookup.table).\(name), whose values are not made yet"
        )
      }
      return column
    }
    func position(_ name: String?) throws(FusionBarrier) -> String? {
      guard let name, transfer.value(of: name) != .null else { return nil }
      return try column(name)
    }
    var farEntities: [Int64]?
    if let wanted = lookup.farEntities {
      guard let rows = entityRows[lookup.farTable] else { return nil }
      farEntities = rows.entityNumbers.filter { wanted.contains($0.value) }.keys.sorted()
    }
    func source(_ table: String) -> String { entityRows[table]?.source ?? table }
    return RelationshipRows(
      table: transfer.source,
      nearColumn: try column(lookup.nearColumn),
      farColumn: try column(lookup.farColumn),
      nearPositionColumn: try position(lookup.nearPositionColumn),
      farPositionColumn: try position(lookup.farPositionColumn),
      nearTable: source(lookup.nearTable),
      farTable: source(lookup.farTable),
      farEntities: farEntities,
      isSymmetric: lookup.isSymmetric
    )
  }
}

extension RowTransfer {
  /// NULL where the column gets none.
  package func value(of column: String) -> ColumnExpression {
    assignments.first { $0.column.uppercased() == column.uppercased() }?.value ?? .null
  }

  /// The destination's number of each source entity whose rows move.
  package var entityNumbers: [Int64: Int64] {
    guard case .renumbered(.column("Z_ENT"), let numbers) = value(of: "Z_ENT") else { return [:] }
    return numbers
  }

  /// A lookup finds no other pairs.
  fileprivate func keepsPairs(of lookup: RelationshipRows) -> Bool {
    let keys = [lookup.nearColumn, lookup.farColumn].map { value(of: $0) }
    return conditions.allSatisfy { condition in
      if case .not(.isNull(let value)) = condition { keys.contains(value) } else { false }
    }
  }
}

/// Rewrites the next step's expressions over the rows of a table with the values that the previous
/// step puts into them.
struct RowSubstitution {
  private let transfer: RowTransfer
  private let tables: VersionTables
  /// By entity number in the store and by name in upper case.
  private let values: [Int64: [String: ColumnExpression]]
  /// The version's number by that in the store.
  let numbers: [Int64: Int64]

  init(_ transfer: RowTransfer, in tables: VersionTables) {
    self.transfer = transfer
    self.tables = tables
    let numbers = transfer.entityNumbers
    self.numbers = numbers
    values = numbers.reduce(into: [:]) { result, entity in
      result[entity.key] = Dictionary(
        firstOf: transfer.assignments.map {
          ($0.column.uppercased(), $0.value.ofEntity(entity.key))
        }
      )
    }
  }

  /// Throws ``FusionBarrier`` if the expression needs rows of the version.
  func value(
    _ expression: ColumnExpression,
    of entities: [Int64]
  ) throws(FusionBarrier) -> ColumnExpression {
    var result: [Int64: ColumnExpression] = [:]
    for entity in entities {
      let own = expression.ofEntity(numbers[entity] ?? 0)
      result[entity] = try substituted(own) { name in
        values[entity]?[name.uppercased()] ?? .null
      }
    }
    return .combined(result)
  }

  private func substituted(
    _ expression: ColumnExpression,
    _ column: (String) -> ColumnExpression
  ) throws(FusionBarrier) -> ColumnExpression {
    switch expression {
    case .column(let name): return column(name)
    case .constant: return expression
    case .firstNonNull(let first, let second):
      return .firstOf(try substituted(first, column), try substituted(second, column))
    case .renumbered(let value, let numbers):
      return try substituted(value, column).renumbered(numbers)
    case .firstPartner(let lookup):
      return try tables.lookup(lookup).map { .firstPartner($0) } ?? .null
    case .positionAtFirstPartner(let lookup):
      guard let found = try tables.lookup(lookup), found.nearPositionColumn != nil else {
        return .null
      }
      return .positionAtFirstPartner(found)
    case .mutual(let key, let lookup):
      let key = try substituted(key, column)
      guard key != .null, let found = try tables.lookup(lookup) else { return .null }
      return .mutual(key, found)
    case .prefixed, .unprefixed, .onlyWith, .onlyIf:
      let result = try expression.rewritten { part throws(FusionBarrier) in
        try substituted(part, column)
      }
      return result.children.contains(.null) ? .null : result
    case .entityNumber(let table, let key):
      let key = try substituted(key, column)
      guard key != .null, let partners = tables.entityRows[table] else { return .null }
      return ColumnExpression.entityNumber(ofRowIn: partners.source, key: key)
        .renumbered(partners.entityNumbers)
    case .storedEntity(let number, _, _, _):
      // The previous step has looked up unexpected values: a NULL there is beside a dangling key, also in the
      // version.
      return try substituted(number, column)
    default:
      throw FusionBarrier("a value of \(transfer.destination) is computed from rows of the version")
    }
  }
}

extension ColumnExpression {
  fileprivate static func firstOf(_ first: Self, _ second: Self) -> ColumnExpression {
    if first == .null { return second }
    if case .constant = first { return first }
    return second == .null ? first : .firstNonNull(first, second)
  }

  /// A number without a new one gives NULL.
  fileprivate func renumbered(_ numbers: [Int64: Int64]) -> ColumnExpression {
    if self == .null { return .null }
    guard case .renumbered(let value, let before) = self else {
      return .renumbered(self, numbers)
    }
    return .renumbered(value, before.compactMapValues { numbers[$0] })
  }
}
