extension ColumnExpression {
  /// The expressions from which the value is made, those of all entities included.
  package var children: [ColumnExpression] {
    var result: [ColumnExpression] = []
    _ = rewritten {
      result.append($0)
      return $0
    }
    return result
  }

  package func rewritten<Failure: Error>(
    _ rewrite: (ColumnExpression) throws(Failure) -> ColumnExpression
  ) throws(Failure) -> ColumnExpression {
    switch self {
    case .column, .constant, .firstPartner, .positionAtFirstPartner, .isIn, .matches: self
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
    case .arithmetic(let first, let sign, let second):
      .arithmetic(try rewrite(first), sign, try rewrite(second))
    case .isNonzero(let value): .isNonzero(try rewrite(value))
    case .real(let value): .real(try rewrite(value))
    case .whole(let value): .whole(try rewrite(value))
    case .text(let value): .text(try rewrite(value))
    case .joined(let first, let second): .joined(try rewrite(first), try rewrite(second))
    case .equality(let first, let second): .equality(try rewrite(first), try rewrite(second))
    case .conditional(let condition, let first, let second):
      .conditional(try rewrite(condition), try rewrite(first), try rewrite(second))
    case .memberCount(let rows, let key): .memberCount(rows, ofRow: try rewrite(key))
    case .memberExtreme(let extreme, let column, let rows, let key):
      .memberExtreme(extreme, column, rows, ofRow: try rewrite(key))
    case .isNull(let value): .isNull(try rewrite(value))
    case .same(let first, let second): .same(try rewrite(first), try rewrite(second))
    case .among(let value, let constants): .among(try rewrite(value), constants)
    case .ordered(let first, let order, let second):
      .ordered(try rewrite(first), order, try rewrite(second))
    case .contains(let text, let part): .contains(try rewrite(text), part)
    case .begins(let text, let part): .begins(try rewrite(text), with: part)
    case .ends(let text, let part): .ends(try rewrite(text), with: part)
    case .partner(let key, let table, let numbers):
      .partner(key: try rewrite(key), table: table, entityIn: numbers)
    case .not(let part): .not(try rewrite(part))
    case .and(let parts): .and(try parts.map(rewrite))
    case .or(let parts): .or(try parts.map(rewrite))
    }
  }

  package var followsFromRow: Bool {
    switch self {
    case .firstPartner, .positionAtFirstPartner, .mutual, .entityNumber, .storedEntity, .translated,
      .columnOfRow, .linked, .memberCount, .memberExtreme, .partner, .matches:
      false
    default: children.allSatisfy(\.followsFromRow)
    }
  }
}

/// A column of a table of a store; SQLite ignores the case of its names.
package struct StoredColumn: Hashable, Sendable {
  /// In capitals.
  package let table: String
  /// In capitals.
  package let column: String

  package init(_ column: String, of table: String) {
    self.table = table.uppercased()
    self.column = column.uppercased()
  }
}

extension ColumnExpression {
  /// The columns whose values the expression takes, from a row of a table or from the rows that
  /// this one leads to; columns by which rows are only selected are excluded.
  package func reads(inRowOf table: String) -> [StoredColumn] {
    switch self {
    case .entityNumber: return []
    case .column(let name): return [StoredColumn(name, of: table)]
    case .firstPartner(let rows):
      return rows.keyColumns + [rows.farPositionColumn].compactMap(\.self).map(rows.column)
    case .positionAtFirstPartner(let rows):
      return [rows.nearPositionColumn].compactMap(\.self).map(rows.column)
    case .storedEntity(let value, _, _, _), .onlyIf(let value, _, _), .onlyWith(let value, _):
      return value.reads(inRowOf: table)
    default: break
    }
    let own = children.flatMap { $0.reads(inRowOf: table) }
    return switch self {
    case .columnOfRow(let name, let other, _): own + [StoredColumn(name, of: other)]
    case .memberCount(let rows, _): own + rows.keyColumns
    case .memberExtreme(_, let name, let rows, _):
      own + rows.keyColumns + [StoredColumn(name, of: rows.farTable)]
    default: own
    }
  }
}

extension RelationshipRows {
  /// The columns with the keys of the objects at the ends, apart from those of the rows themselves.
  package var keyColumns: [StoredColumn] {
    [nearColumn, farColumn].filter { $0 != "Z_PK" }.map(column)
  }

  package var positionColumns: [StoredColumn] {
    [nearPositionColumn, farPositionColumn].compactMap(\.self).map(column)
  }

  fileprivate func column(_ name: String) -> StoredColumn { StoredColumn(name, of: table) }
}
