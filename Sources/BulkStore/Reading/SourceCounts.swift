internal import BulkSQLite

/// Counts rows, values and links of a store by the conditions of transfers.
///
/// Indexes are not used: a corrupt one may have other numbers than the rows that are read. The
/// store has the schema name `source`, as in transfers.
package final class SourceCounts {
  private let store: PersistentStore
  /// Reads the store, once something is counted.
  private var session: StoreSession?
  /// In bytes.
  private static let lookupBytes = 4 << 20

  /// A property that a row may have.
  package enum Part: Hashable, Sendable {
    case value(in: [String])
    /// A number in a column that is a fraction, or an integer outside a range.
    case misfit(in: String, ClosedRange<Int64>)
    /// A row that satisfies none of the sets of conditions; all conditions of a set must hold.
    case row(satisfyingNone: [[ColumnExpression]])
  }

  package init(_ store: PersistentStore) { self.store = store }

  private func opened() throws(StoreError) -> StoreSession {
    if let session { return session }
    let opened = try store.sessionInMemory(lookupBytes: Self.lookupBytes)
    session = opened
    return opened
  }

  /// The numbers of rows of an entity that have each of the parts, in their order.
  package func rows(
    with parts: [Part],
    ofEntity entity: Int64,
    in table: String
  ) throws(StoreError) -> [Int64] {
    parts.isEmpty ? [] : try steps(with: parts, ofEntity: entity, in: table).finish()
  }

  /// A count of the rows that have each of the parts, see ``rows(with:ofEntity:in:)``, for one part of the table after
  /// another.
  package func steps(
    with parts: [Part],
    ofEntity entity: Int64,
    in table: String
  ) throws(StoreError) -> CountSteps {
    let counts = parts.map { "count(CASE WHEN \($0.sql) THEN 1 END)" }
    let conditions = ["s.Z_ENT = \(entity)", "s.rowid BETWEEN ?1 AND ?2"]
    let sql = Self.sql(selecting: counts, from: table, where: conditions)
    return CountSteps(try opened().prepare(sql), count: parts.count)
  }

  /// The number of rows of a table that satisfy conditions, but none of some sets of further ones.
  package func rows(
    in table: String,
    where conditions: [ColumnExpression],
    except sets: [[ColumnExpression]] = []
  ) throws(StoreError) -> Int64 {
    let all = conditions + (sets.isEmpty ? [] : [.none(sets)])
    return try RowLookup(opened()).counts(in: table, where: all)[0]
  }

  /// The numbers of values of some columns in the rows of a table that satisfy conditions, but none of some sets of
  /// further ones.
  package func values(
    in columns: [String],
    of table: String,
    where conditions: [ColumnExpression],
    except sets: [[ColumnExpression]]
  ) throws(StoreError) -> [Int64] {
    let all = conditions + (sets.isEmpty ? [] : [.none(sets)])
    let counts = try RowLookup(opened()).counts(in: table, where: all, valuesIn: columns)
    return Array(counts.dropFirst())
  }

  /// The statement that selects aggregates of the rows with keys in a range.
  static func sql(
    selecting aggregates: [String],
    from table: String,
    where conditions: [String],
    within keys: ClosedRange<Int64> = .min ... .max
  ) -> String {
    let isAll = keys == .min ... .max
    let among = isAll ? [] : ["s.rowid BETWEEN \(keys.lowerBound) AND \(keys.upperBound)"]
    let all = (among + conditions).joined(separator: " AND ")
    return "SELECT \(aggregates.joined(separator: ", ")) FROM source.\(SQLText.quoted(table)) AS s "
      + "NOT INDEXED" + (all.isEmpty ? "" : " WHERE \(all)")
  }

  /// Aggregates that count all rows, those of them that satisfy conditions, those of these that satisfy others, and so on.
  static func numbers(_ conditions: [[ColumnExpression]]) -> [String] {
    ["count(*)"]
      + conditions.indices.map { last in
        let all = conditions[...last].flatMap { $0.map(\.sql) }.joined(separator: " AND ")
        return "count(CASE WHEN \(all) THEN 1 END)"
      }
  }
}

extension SourceCounts.Part {
  fileprivate var sql: String {
    switch self {
    case .value(let columns) where columns.isEmpty: "0"
    case .value(let columns):
      columns.map { "s.\(SQLText.quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
    case .misfit(let column, let range): Self.misfit("s.\(SQLText.quoted(column))", range)
    case .row(let selections): ColumnExpression.none(selections).sql
    }
  }

  private static func misfit(_ value: String, _ range: ClosedRange<Int64>) -> String {
    let (least, greatest) = (
      SQLiteValue.integer(range.lowerBound).literal, SQLiteValue.integer(range.upperBound).literal
    )
    return
      "typeof(\(value)) IN ('integer', 'real') AND (\(value) NOT BETWEEN \(least) AND \(greatest) "
      + "OR \(value) <> CAST(\(value) AS INTEGER))"
  }
}

/// Counts the rows of a table in ranges of keys.
///
/// A reader of the table for another purpose can advance the count, so that the system reads each
/// part from the disk once for both.
package final class CountSteps {
  private let statement: Statement
  private var counts: [Int64]
  /// The first key that is not counted; `nil` after the last one.
  private var next: Int64? = .min

  init(_ statement: consuming Statement, count: Int) {
    self.statement = statement
    counts = Array(repeating: 0, count: count)
  }

  package func advance(through key: Int64) throws(StoreError) {
    guard let first = next, first <= key else { return }
    try statement.bind(first...key)
    defer { statement.reset() }
    if try statement.step() {
      for index in counts.indices { counts[index] += statement.int64(at: Int32(index)) }
    }
    next = key == .max ? nil : key + 1
  }

  /// Counts the rest, and returns the numbers of all rows, in the order of the parts.
  package func finish() throws(StoreError) -> [Int64] {
    try advance(through: .max)
    return counts
  }
}
