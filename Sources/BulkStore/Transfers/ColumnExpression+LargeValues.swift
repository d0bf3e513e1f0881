internal import BulkSQLite

/// Values that are too large to be held in memory with their row.
///
/// A binary value that a transfer only copies is streamed from file to file. Whether it is streamed depends
/// on its size alone, so the destination is the same whatever the memory limit.
package enum LargeValue {
  /// A value or a record with more bytes is large.
  package static let bound = 1 << 20
}

extension ColumnExpression {
  /// The source column whose large binary value the expression copies for a row, in SQL: its name after a
  /// sign for the treatment of the value's first byte; NULL if the value is small.
  ///
  /// `nil` if no value is copied.
  var largeColumnSQL: String? {
    switch self {
    case .firstNonNull(let first, _): first.largeColumnSQL
    case .byEntity(let cases):
      Self.choiceSQL(cases.map { ($0.entities, $0.value.largeColumnSQL) })
    default: copied.map(Self.largeSQL)
    }
  }

  private var copied: (column: String, first: FirstByte)? {
    switch self {
    case .column(let name): (name, .kept)
    case .prefixed(.column(let name)): (name, .prefixed)
    case .unprefixed(.column(let name)): (name, .unprefixed)
    default: nil
    }
  }

  enum FirstByte: String {
    case kept = "="
    /// A byte is put before it that marks the value as stored in the row.
    case prefixed = "+"
    /// That byte is dropped, if it exists.
    case unprefixed = "-"
  }

  private static func largeSQL(_ name: String, _ first: FirstByte) -> String {
    let column = "s.\(SQLText.quoted(name))"
    // SQLite finds the type and the length of a BLOB without reading its bytes.
    return "CASE WHEN typeof(\(column)) = 'blob' AND length(\(column)) > \(LargeValue.bound) "
      + "THEN \(SQLText.quoted(literal: first.rawValue + name)) END"
  }

  /// The source columns whose large values the expression copies, for some row.
  package var carriedColumns: Set<String> {
    switch self {
    case .firstNonNull(let first, _): first.carriedColumns
    case .byEntity(let cases): cases.reduce(into: []) { $0.formUnion($1.value.carriedColumns) }
    default: copied.map { [$0.column] } ?? []
    }
  }

  package func mentions(_ column: String) -> Bool {
    sql.contains("s.\(SQLText.quoted(column))")
  }
}
