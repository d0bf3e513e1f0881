extension ColumnExpression {
  /// Whether the value depends on the source row alone, so that no other row is needed.
  package var followsFromRow: Bool {
    switch self {
    case .column, .constant: true
    case .renumbered(let value, _), .prefixed(let value), .unprefixed(let value),
      .shifted(let value, _):
      value.followsFromRow
    case .firstNonNull(let first, let second), .onlyIf(let first, let second, _),
      .onlyWith(let first, let second):
      first.followsFromRow && second.followsFromRow
    case .byEntity(let cases): cases.allSatisfy(\.value.followsFromRow)
    case .computed(let computation): computation.followsFromRow
    case .firstPartner, .placeAtFirstPartner, .mutual, .entityNumber, .storedEntity, .translated,
      .columnOfRow, .linked:
      false
    }
  }
}

extension ColumnComputation {
  fileprivate var followsFromRow: Bool {
    switch self {
    case .memberCount, .memberExtreme: false
    case .arithmetic, .isNonzero, .real, .text, .joined, .equality, .conditional:
      operands.allSatisfy(\.followsFromRow)
    }
  }
}

extension RowTransfer.Condition {
  /// Whether it depends on the source row alone.
  package var followsFromRow: Bool {
    switch self {
    case .entityIn, .columnIn: true
    case .notNull(let value): value.followsFromRow
    case .satisfies(let condition): condition.operands.allSatisfy(\.followsFromRow)
    case .partner, .matches, .any, .none, .isText, .isLess, .within: false
    }
  }
}
