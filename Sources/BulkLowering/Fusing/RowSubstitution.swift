internal import BulkStore

/// Rewrites the next step's expressions over the rows of a table with what the previous step puts into them.
struct RowSubstitution {
  /// The rows of the table in the version between.
  private let transfer: RowTransfer
  private let tables: VersionTables
  /// The values of the table's columns, by entity number in the store and by name in upper case.
  private let values: [Int64: [String: ColumnExpression]]
  /// The version's number of every entity of the store whose rows are in the table.
  let numbers: [Int64: Int64]

  init(_ transfer: RowTransfer, in tables: VersionTables) {
    self.transfer = transfer
    self.tables = tables
    let numbers = transfer.entityNumbers
    self.numbers = numbers
    values = numbers.reduce(into: [:]) { result, entity in
      result[entity.key] = Dictionary(
        transfer.assignments.map { ($0.column.uppercased(), $0.value.ofEntity(entity.key)) },
        uniquingKeysWith: { first, _ in first }
      )
    }
  }

  /// An expression over rows of the version as one over rows of the store.
  ///
  /// - Parameters:
  ///   - expression: The expression, over rows of the version.
  ///   - entities: The numbers, in the store, of the entities whose rows are read.
  /// - Returns: The expression over rows of the store.
  /// - Throws: ``FusionBarrier`` if it needs rows of the version.
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

  /// Substitutes values for columns in an expression without cases for entities.
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
    case .placeAtFirstPartner(let lookup):
      guard let found = try tables.lookup(lookup), found.nearPlaceColumn != nil else {
        return .null
      }
      return .placeAtFirstPartner(found)
    case .mutual(let key, let lookup):
      let key = try substituted(key, column)
      guard key != .null, let found = try tables.lookup(lookup) else { return .null }
      return .mutual(key, found)
    case .prefixed(let value):
      let value = try substituted(value, column)
      return value == .null ? .null : .prefixed(value)
    case .unprefixed(let value):
      let value = try substituted(value, column)
      return value == .null ? .null : .unprefixed(value)
    case .entityNumber(let table, let key):
      let key = try substituted(key, column)
      guard key != .null, let partners = tables.entityRows(of: table) else { return .null }
      return ColumnExpression.entityNumber(ofRowIn: partners.source, key: key)
        .renumbered(partners.entityNumbers)
    case .onlyWith(let value, let key):
      let (value, key) = (try substituted(value, column), try substituted(key, column))
      return value == .null || key == .null ? .null : .onlyWith(value, key: key)
    case .storedEntity(let number, _, _, _):
      // The previous step has looked up unexpected values: a NULL there is beside a dangling key, also in the
      // version.
      return try substituted(number, column)
    case .onlyIf(let value, let entity, let numbers):
      let (value, entity) = (try substituted(value, column), try substituted(entity, column))
      return value == .null || entity == .null ? .null : .onlyIf(value, entityIn: entity, numbers)
    case .byEntity, .shifted, .translated, .columnOfRow, .linked, .computed:
      throw FusionBarrier("a value of \(transfer.destination) is computed from rows of the version")
    }
  }
}

extension ColumnExpression {
  /// The first of two values that is not NULL.
  fileprivate static func firstOf(
    _ first: ColumnExpression,
    _ second: ColumnExpression
  ) -> ColumnExpression {
    if first == .null { return second }
    if case .constant = first { return first }
    return second == .null ? first : .firstNonNull(first, second)
  }

  /// An entity number that is replaced; a number without a new one gives NULL.
  fileprivate func renumbered(_ numbers: [Int64: Int64]) -> ColumnExpression {
    if self == .null { return .null }
    guard case .renumbered(let value, let before) = self else {
      return .renumbered(self, numbers)
    }
    return .renumbered(value, before.compactMapValues { numbers[$0] })
  }
}
