extension ColumnExpression {
  /// The expressions from which the value is made, those of all entities included; of a computation its operands.
  package var children: [ColumnExpression] {
    if case .computed(let computation) = self { return computation.operands }
    var result: [ColumnExpression] = []
    _ = rewritten {
      result.append($0)
      return $0
    }
    return result
  }

  /// The expression with each part rewritten, but for those of a computation.
  package func rewritten<Failure: Error>(
    _ rewrite: (ColumnExpression) throws(Failure) -> ColumnExpression
  ) throws(Failure) -> ColumnExpression {
    switch self {
    case .column, .constant, .firstPartner, .placeAtFirstPartner, .computed: self
    case .firstNonNull(let first, let second):
      .firstNonNull(try rewrite(first), try rewrite(second))
    case .renumbered(let value, let numbers): .renumbered(try rewrite(value), numbers)
    case .byEntity(let cases):
      .byEntity(
        try cases.map { choice throws(Failure) in
          EntityCase(entities: choice.entities, value: try rewrite(choice.value))
        }
      )
    case .mutual(let key, let lookup): .mutual(try rewrite(key), lookup)
    case .prefixed(let value): .prefixed(try rewrite(value))
    case .unprefixed(let value): .unprefixed(try rewrite(value))
    case .entityNumber(let table, let key): .entityNumber(ofRowIn: table, key: try rewrite(key))
    case .storedEntity(let number, let key, let table, let expected):
      .storedEntity(try rewrite(number), key: try rewrite(key), in: table, expected: expected)
    case .onlyIf(let value, let entity, let numbers):
      .onlyIf(try rewrite(value), entityIn: try rewrite(entity), numbers)
    case .onlyWith(let value, let key): .onlyWith(try rewrite(value), key: try rewrite(key))
    case .shifted(let key, let distance): .shifted(try rewrite(key), by: distance)
    case .translated(let key, let table, let distances):
      .translated(try rewrite(key), in: table, distances)
    case .columnOfRow(let column, let table, let key):
      .columnOfRow(column, in: table, key: try rewrite(key))
    case .linked(let link, let part, let key): .linked(link, part, key: try rewrite(key))
    }
  }
}
