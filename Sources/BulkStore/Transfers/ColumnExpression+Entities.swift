extension ColumnExpression {
  /// One expression for values by the source entities' numbers: the one value that all have, or a case for each.
  package static func combined(_ byEntity: [Int64: ColumnExpression]) -> ColumnExpression {
    let distinct = Set(byEntity.values)
    if distinct.count == 1, let only = distinct.first { return only }
    let cases = Dictionary(grouping: byEntity.keys) { byEntity[$0] ?? .null }
      .filter { $0.key != .null }
      .map { EntityCase(entities: $0.value.sorted(), value: $0.key) }
    return cases.isEmpty ? .null : .byEntity(cases.sorted { $0.entities[0] < $1.entities[0] })
  }

  /// The expression for source rows of the entity with a number, without cases of others.
  package func ofEntity(_ number: Int64) -> ColumnExpression {
    guard case .byEntity(let cases) = self else { return rewritten { $0.ofEntity(number) } }
    return cases.first { $0.entities.contains(number) }?.value.ofEntity(number) ?? .null
  }
}
