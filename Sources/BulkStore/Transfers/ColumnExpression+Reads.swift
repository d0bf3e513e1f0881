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
    case .firstPartner(let rows):
      rows.keyColumns + [rows.farPlaceColumn].compactMap(\.self).map(rows.column)
    case .placeAtFirstPartner(let rows):
      [rows.nearPlaceColumn].compactMap(\.self).map(rows.column)
    case .storedEntity(let value, _, _, _), .onlyIf(let value, _, _), .onlyWith(let value, _):
      value.reads(inRowOf: table)
    case .columnOfRow(let name, let other, let key):
      key.reads(inRowOf: table) + [StoredColumn(name, of: other)]
    case .computed(let computation):
      children.flatMap { $0.reads(inRowOf: table) } + computation.memberColumns
    case .firstNonNull, .byEntity, .renumbered, .mutual, .prefixed, .unprefixed, .shifted,
      .translated, .linked:
      children.flatMap { $0.reads(inRowOf: table) }
    }
  }
}

extension ColumnComputation {
  /// The columns by which the objects of a to-many relationship are found, and that of their values.
  fileprivate var memberColumns: [StoredColumn] {
    switch self {
    case .memberCount(let rows, _): rows.keyColumns
    case .memberExtreme(_, let name, let rows, _):
      rows.keyColumns + [StoredColumn(name, of: rows.farTable)]
    case .arithmetic, .isNonzero, .real, .text, .joined, .equality, .conditional: []
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
