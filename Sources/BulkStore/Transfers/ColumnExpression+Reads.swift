/// A column of a table of a store; SQLite ignores the case of its names.
package struct StoredColumn: Hashable, Sendable {
  /// The table's name in capitals.
  package let table: String
  /// The column's name in capitals.
  package let column: String

  package init(_ column: String, of table: String) {
    self.table = table.uppercased()
    self.column = column.uppercased()
  }
}

extension ColumnExpression {
  /// The columns whose values the expression takes, from a row of a table or from the rows that
  /// this one leads to; columns that it only compares are excluded.
  package func reads(inRowOf table: String) -> [StoredColumn] {
    switch self {
    case .constant, .entityNumber: []
    case .column(let name): [StoredColumn(name, of: table)]
    case .firstNonNull(let first, let second):
      first.reads(inRowOf: table) + second.reads(inRowOf: table)
    case .byEntity(let cases): cases.flatMap { $0.value.reads(inRowOf: table) }
    case .firstPartner(let rows):
      rows.keyColumns + [rows.farPlaceColumn].compactMap(\.self).map(rows.column)
    case .placeAtFirstPartner(let rows):
      [rows.nearPlaceColumn].compactMap(\.self).map(rows.column)
    case .renumbered(let value, _), .mutual(let value, _), .prefixed(let value),
      .unprefixed(let value), .storedEntity(let value, _, _, _), .onlyIf(let value, _, _),
      .onlyWith(let value, _), .shifted(let value, _), .translated(let value, _, _),
      .linked(_, _, let value):
      value.reads(inRowOf: table)
    case .columnOfRow(let name, let other, let key):
      key.reads(inRowOf: table) + [StoredColumn(name, of: other)]
    case .computed(let computation): computation.reads(inRowOf: table)
    }
  }
}

extension ColumnComputation {
  fileprivate func reads(inRowOf table: String) -> [StoredColumn] {
    let found = operands.flatMap { $0.reads(inRowOf: table) }
    switch self {
    case .memberCount(let rows, _): return found + rows.keyColumns
    case .memberExtreme(_, let name, let rows, _):
      return found + rows.keyColumns + [StoredColumn(name, of: rows.farTable)]
    case .arithmetic, .isNonzero, .real, .text, .joined, .equality, .conditional: return found
    }
  }
}

extension RelationshipRows {
  /// The columns with the keys of the objects at the ends, besides those of the rows themselves.
  package var keyColumns: [StoredColumn] {
    [nearColumn, farColumn].filter { $0 != "Z_PK" }.map(column)
  }

  package var placeColumns: [StoredColumn] {
    [nearPlaceColumn, farPlaceColumn].compactMap(\.self).map(column)
  }

  fileprivate func column(_ name: String) -> StoredColumn { StoredColumn(name, of: table) }
}
