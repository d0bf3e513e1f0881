internal import BulkSupport
package import BulkSQLite

/// Finds single rows of the two stores of a session, and counts them.
package final class RowLookup {
  private let session: StoreSession
  /// The statements that find the entities of rows, by table as SQL names it.
  private var entities: [String: PreparedStatement] = [:]

  package init(_ session: StoreSession) { self.session = session }

  package func entity(ofSourceRow key: Int64, in table: String) throws(StoreError) -> Int64? {
    try entity(of: key, in: "source.\(SQLText.quoted(table))")
  }

  /// The number of rows of a source table with keys in a range that satisfy conditions; how many of them satisfy further
  /// ones, how many of these yet others, and so on; and how many values each of some columns has in them together.
  package func counts(
    in table: String,
    where conditions: [ColumnExpression],
    and others: [[ColumnExpression]] = [],
    valuesIn columns: [String] = [],
    within keys: ClosedRange<Int64> = .min ... .max
  ) throws(StoreError) -> [Int64] {
    // Nothing may be written to the destination that is not in its file.
    let found = try session.recordCompiler(of: table)?.counts(
      where: conditions,
      and: others,
      valuesIn: columns,
      within: keys
    ) { !session.work.isStopped }
    try session.endIfStopped()
    if let found { return found }
    let values = columns.map { "count(s.\(SQLText.quoted($0)))" }
    return try integers(
      SourceCounts.sql(
        selecting: SourceCounts.numbers(others) + values,
        from: table,
        where: conditions.map(\.sql),
        within: keys
      ),
      count: 1 + others.count + columns.count
    )
  }

  /// The number of different links along a path from objects with keys in a range that satisfy conditions on
  /// ``LinkQuery/near`` and ``LinkQuery/far``, and how many of them satisfy further ones, and so on.
  package func counts(
    _ links: LinkQuery,
    where conditions: [ColumnExpression],
    and others: [[ColumnExpression]],
    within keys: ClosedRange<Int64>
  ) throws(StoreError) -> [Int64] {
    let numbers = SourceCounts.numbers(others)
    let sql = links.sql(selecting: numbers, where: conditions, within: keys)
    return try integers(sql, count: numbers.count)
  }

  private func integers(_ sql: String, count: Int) throws(StoreError) -> [Int64] {
    let statement = try session.prepare(sql)
    guard try statement.step() else { return Array(repeating: 0, count: count) }
    return (0..<count).map { statement.int64(at: Int32($0)) }
  }

  /// The least values of an expression in the rows of a source table that satisfy conditions, each once.
  package func values(
    of expression: ColumnExpression,
    in table: String,
    where conditions: [ColumnExpression],
    limit: Int
  ) throws(StoreError) -> [Int64] {
    let statement = try session.prepare(
      "SELECT DISTINCT \(expression.sql) FROM source.\(SQLText.quoted(table)) AS s NOT INDEXED "
        + "WHERE \(conditions.map(\.sql).joined(separator: " AND ")) ORDER BY 1 LIMIT \(limit)"
    )
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.int64(at: 0)) }
    return keys
  }

  /// 0 if there are none.
  package func highestKey(amongRowsOf rows: RowTransfer) throws(StoreError) -> Int64 {
    let statement = try session.prepare("SELECT s.rowid \(rows.rowsSQL) DESC LIMIT 1")
    try statement.bind(.min ... .max)
    return try statement.nextInteger() ?? 0
  }

  package func entity(ofRow key: Int64, in table: String) throws(StoreError) -> Int64? {
    try entity(of: key, in: "main.\(SQLText.quoted(table))")
  }

  private func entity(of key: Int64, in table: String) throws(StoreError) -> Int64? {
    if let known = entities[table] { return try known.integer(of: key) }
    let sql = "SELECT Z_ENT FROM \(table) WHERE rowid = ?1"
    let statement = try PreparedStatement(sql, session.connection)
    entities[table] = statement
    return try statement.integer(of: key)
  }

  package func highestKey(in table: String) throws(StoreError) -> Int64 {
    try session.integer("SELECT max(rowid) FROM main.\(SQLText.quoted(table))") ?? 0
  }
}

extension StoreSession {
  /// Prepares to read the keys of source rows that satisfy conditions and a program, which holds where it is 1, from their
  /// records; `nil` where SQL is needed.
  ///
  /// The result passes on the keys in a range, in ascending order, and returns those, if any, that are left because the
  /// program has no value for one of their rows.
  package func keys(
    of table: String,
    where conditions: [ColumnExpression],
    and program: (RecordCompiler) -> RecordProgram?
  ) throws(StoreError) -> (
    (_ range: ClosedRange<Int64>, _ body: (Int64) throws -> Void) throws -> ClosedRange<Int64>?
  )? {
    guard var compiler = try recordCompiler(of: table), let program = program(compiler),
      let copy = try? compiler.copy([], where: conditions, and: [program]),
      let records = RecordSelection(copy, of: compiler.source)
    else { return nil }
    return { range, body in
      var next = range.lowerBound
      let isWhole = try records.rows(range) { key, _ in
        try body(key)
        next = key == .max ? key : key + 1
        return true
      }
      return isWhole || next > range.upperBound ? nil : next...range.upperBound
    }
  }
}
