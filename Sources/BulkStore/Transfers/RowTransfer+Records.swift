internal import BulkSQLite

extension RowTransfer {
  /// How its records are made from those of the source table without SQL; `nil` if that is not possible.
  func recordCopy(of source: SourceTable) -> RecordCopy? {
    var fields: [RecordCopy.Field] = []
    for assignment in assignments {
      guard let field = assignment.value.recordField(of: source) else { return nil }
      fields.append(field)
    }
    return conditions.recordConditions(of: source).map { RecordCopy(fields, where: $0) }
  }
}

extension [RowTransfer.Condition] {
  /// The conditions on a record; `nil` if one of them needs SQL.
  func recordConditions(of source: SourceTable) -> [RecordCopy.Condition]? {
    var found: [RecordCopy.Condition] = []
    for condition in self {
      guard let parts = condition.recordConditions(of: source) else { return nil }
      found += parts
    }
    return found
  }
}

extension ColumnExpression {
  /// How its value is made from a record without SQL; `nil` if that is not possible.
  func recordField(of source: SourceTable) -> RecordCopy.Field? {
    switch self {
    case .column(let name): return source.field(name)
    case .constant(let value): return .constant(value)
    case .renumbered(.column(let name), let numbers):
      guard case .column(let column) = source.field(name) else { return nil }
      return .renumbered(column, numbers)
    case .storedEntity(.column(let name), .column(let key), _, let expected):
      let numbers = expected.map { ($0, $0 as Int64?) }
      return Self.entity(name, key, Dictionary(numbers) { first, _ in first }, of: source)
    case .renumbered(.storedEntity(.column(let name), .column(let key), _, let expected), let new):
      let numbers = expected.map { ($0, new[$0]) }
      return Self.entity(name, key, Dictionary(numbers) { first, _ in first }, of: source)
    case .firstNonNull(.column(let name), let other):
      guard case .column(let column) = source.field(name) else { return nil }
      return other.recordField(of: source).map { .firstNonNull(column, $0) }
    case .byEntity(let cases):
      guard case .column(let column) = source.field("Z_ENT") else { return nil }
      var fields: [Int64: RecordCopy.Field] = [:]
      for choice in cases {
        guard let field = choice.value.recordField(of: source) else { return nil }
        for entity in choice.entities where fields[entity] == nil { fields[entity] = field }
      }
      return .byNumber(column, fields)
    case .shifted(.column(let name), let distance):
      if distance == 0 { return source.field(name) }
      guard case .rowID(let plus) = source.field(name) else { return nil }
      return .rowID(plus: plus + distance)
    case .linked(let link, let part, .column(let key)):
      switch source.field(key) {
      case .column(let column): return .linked(link, part, to: column)
      case .rowID(plus: 0): return .linked(link, part, to: nil)
      case .constant, .rowID, .renumbered, .entity, .firstNonNull, .byNumber, .number, .linked,
        .given, nil:
        return nil
      }
    case .computed(.arithmetic): return number(of: source).map { .number($0) }
    case .firstNonNull, .renumbered, .firstPartner, .placeAtFirstPartner, .mutual, .prefixed,
      .unprefixed, .entityNumber, .storedEntity, .onlyIf, .onlyWith, .shifted, .translated,
      .columnOfRow, .linked, .computed:
      return nil
    }
  }

  private static func entity(
    _ name: String,
    _ key: String,
    _ numbers: [Int64: Int64?],
    of source: SourceTable
  ) -> RecordCopy.Field? {
    guard
      case .column(let column) = source.field(name), case .column(let key) = source.field(key)
    else { return nil }
    return .entity(column, key: key, numbers)
  }

  private func number(of source: SourceTable) -> NumberExpression? {
    switch self {
    case .column(let name):
      guard case .column(let column) = source.field(name) else { return nil }
      return .column(column)
    case .constant(.integer(let value)): return .integer(value)
    case .constant(.real(let value)): return .real(value)
    case .computed(.arithmetic(let first, let sign, let second)):
      guard let one = first.number(of: source), let other = second.number(of: source) else {
        return nil
      }
      switch sign {
      case .plus: return .sum(one, other)
      case .minus: return .difference(one, other)
      case .times: return .product(one, other)
      case .over: return .quotient(one, other)
      }
    case .constant, .firstNonNull, .renumbered, .byEntity, .firstPartner, .placeAtFirstPartner,
      .mutual, .prefixed, .unprefixed, .entityNumber, .storedEntity, .onlyIf, .onlyWith, .shifted,
      .translated, .columnOfRow, .linked, .computed:
      return nil
    }
  }
}

extension RowTransfer.Condition {
  fileprivate func recordConditions(of source: SourceTable) -> [RecordCopy.Condition]? {
    switch self {
    case .entityIn(let numbers): return Self.isIn("Z_ENT", numbers, source)
    case .columnIn(let name, let numbers): return Self.isIn(name, numbers, source)
    case .notNull(.column(let name)):
      guard case .column(let column) = source.field(name) else { return nil }
      return [.isNotNull(column)]
    case .satisfies(let condition): return condition.recordConditions(of: source)
    case .notNull, .partner, .matches, .any, .none, .isText, .isLess, .within: return nil
    }
  }

  private static func isIn(
    _ name: String,
    _ numbers: [Int64],
    _ source: SourceTable
  ) -> [RecordCopy.Condition]? {
    guard case .column(let column) = source.field(name) else { return nil }
    return [.isIn(column, Set(numbers))]
  }
}

extension RowCondition {
  fileprivate func recordConditions(of source: SourceTable) -> [RecordCopy.Condition]? {
    switch self {
    case .constant(true): return []
    case .isNull(.column(let name)):
      guard case .column(let column) = source.field(name) else { return nil }
      return [.isNull(column)]
    case .not(.isNull(.column(let name))):
      guard case .column(let column) = source.field(name) else { return nil }
      return [.isNotNull(column)]
    case .and(let parts):
      var all: [RecordCopy.Condition] = []
      for part in parts {
        guard let found = part.recordConditions(of: source) else { return nil }
        all += found
      }
      return all
    case .constant, .isNull, .same, .among, .ordered, .contains, .begins, .ends, .not, .or:
      return nil
    }
  }
}
