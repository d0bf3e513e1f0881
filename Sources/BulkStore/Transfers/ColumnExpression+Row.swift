extension ColumnExpression {
  /// Whether the value depends on the source row alone, so that no other row is needed.
  package var followsFromRow: Bool {
    switch self {
    case .firstPartner, .placeAtFirstPartner, .mutual, .entityNumber, .storedEntity, .translated,
      .columnOfRow, .linked, .computed(.memberCount), .computed(.memberExtreme):
      false
    case .column, .constant, .renumbered, .prefixed, .unprefixed, .shifted, .firstNonNull, .onlyIf,
      .onlyWith, .byEntity, .computed:
      children.allSatisfy(\.followsFromRow)
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
    case .partner, .matches, .any, .none, .isText, .isLess: false
    }
  }
}
