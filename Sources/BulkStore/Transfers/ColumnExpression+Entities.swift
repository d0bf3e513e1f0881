extension ColumnExpression {
  /// One expression for values by the source entities' numbers: the one value that all have, or a case for each.
  package static func combined(_ byEntity: [Int64: ColumnExpression]) -> ColumnExpression {
    let distinct = Set(byEntity.values)
    if distinct.count == 1, let only = distinct.first { return only }
    let cases = Dictionary(grouping: byEntity.keys) { byEntity[$0] ?? .null }
      .filter { $0.key != .null }
      .map { EntityCase(entities: $0.value.sorted(), value: $0.key) }
    return cases.isEmpty
      ? .null
      : .byEntity(cases.sorted { $0.entities[0] < $1.entities[0] })
  }
}

extension ColumnExpression {
  /// The expression for source rows of the entity with a number, without cases of others.
  package func ofEntity(_ number: Int64) -> ColumnExpression {
    switch self {
    case .byEntity(let cases):
      return cases.first { $0.entities.contains(number) }?.value.ofEntity(number) ?? .null
    case .firstNonNull(let first, let second):
      return .firstNonNull(first.ofEntity(number), second.ofEntity(number))
    case .renumbered(let value, let numbers): return .renumbered(value.ofEntity(number), numbers)
    case .mutual(let key, let lookup): return .mutual(key.ofEntity(number), lookup)
    case .prefixed(let value): return .prefixed(value.ofEntity(number))
    case .unprefixed(let value): return .unprefixed(value.ofEntity(number))
    case .entityNumber(let table, let key):
      return .entityNumber(ofRowIn: table, key: key.ofEntity(number))
    case .storedEntity(let value, let key, let table, let expected):
      return .storedEntity(
        value.ofEntity(number),
        key: key.ofEntity(number),
        in: table,
        expected: expected
      )
    case .onlyIf(let value, let entity, let numbers):
      return .onlyIf(value.ofEntity(number), entityIn: entity.ofEntity(number), numbers)
    case .onlyWith(let value, let key):
      return .onlyWith(value.ofEntity(number), key: key.ofEntity(number))
    case .column, .constant, .firstPartner, .placeAtFirstPartner, .shifted, .translated,
      .columnOfRow, .linked, .computed:
      return self
    }
  }
}
