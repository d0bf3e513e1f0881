internal import BulkModel
internal import BulkSQLite

/// A statement that changes the rows of a table of a copied store, range by range.
package final class RangeUpdate {
  private let statement: Statement
  private let transactions: TransactionLog

  /// Sets the values of a table; rows that have them already are not written.
  package convenience init(_ change: TableChange, _ session: StoreSession) throws(StoreError) {
    try self.init(change.updateSQL, session)
  }

  /// A statement for the rows with row ids from parameter 1 to parameter 2.
  init(_ sql: String, _ session: StoreSession) throws(StoreError) {
    statement = try session.prepare(sql)
    transactions = session.transactions
  }

  package func run(_ range: ClosedRange<Int64>) throws(StoreError) {
    try transactions.transaction { () throws(StoreError) in
      try statement.bind(range)
      try statement.run()
    }
  }
}

extension StoreSession {
  /// The number of rows that are changed at once: SQLite lists the rows to change in memory.
  private static let rowsAtOnce: Int64 = 10_000

  /// Runs a statement that changes the rows of a table with row ids from parameter 1 to parameter 2, for all rows,
  /// range after range, in the open transaction.
  func run(_ sql: String, overRowsOf table: String) throws(StoreError) {
    let count = min(Self.rowsAtOnce, transactions.batchRows)
    let end = try prepare(
      "SELECT rowid FROM main.\(SQLText.quoted(table)) WHERE rowid >= ?1 ORDER BY rowid LIMIT 1 "
        + "OFFSET \(count - 1)"
    )
    let update = try prepare(sql)
    var first: Int64? = .min
    while let start = first {
      try end.bind(.integer(start), at: 1)
      let last = try end.nextInteger() ?? .max
      end.reset()
      try update.bind(start...last)
      try update.run()
      first = last == .max ? nil : last + 1
    }
  }

  /// Runs updates over the row ids of a source table, which the rows of the table have too, range
  /// after range.
  ///
  /// Throws also any error of `changed`, which is called after every range.
  package func run(
    _ updates: [RangeUpdate],
    over source: String,
    rows: Int64,
    _ changed: () throws -> Void
  ) throws {
    guard !updates.isEmpty else { return }
    var ranges = try KeyRanges(of: source, rows: rows, self)
    while true {
      let group = try ranges.nextRanges()
      if group.isEmpty { return }
      try transactions.batch {
        for range in group {
          for update in updates { try update.run(range) }
          position.reach(range.upperBound)
          try changed()
        }
      }
    }
  }
}

extension ColumnExpression {
  /// The value that a column, which holds that of the source, gets from it in SQL; `nil` if it needs more.
  func ownSQL(as column: String) -> String? {
    switch self {
    case .constant(let value): value.literal
    case .renumbered(.column, let numbers):
      "CASE \(SQLText.quoted(column)) "
        + numbers.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }
        .joined(separator: " ") + " END"
    default: nil
    }
  }
}

extension TableChange {
  /// The statement that sets the values of all rows from those that they have.
  var ownUpdateSQL: String? {
    let setters = values.compactMap { assignment in
      assignment.value.ownSQL(as: assignment.column).map {
        "\(SQLText.quoted(assignment.column)) = \($0)"
      }
    }
    return setters.isEmpty
      ? nil : "UPDATE main.\(SQLText.quoted(destination)) SET \(setters.joined(separator: ", "))"
  }

  /// The statement that finds a row of the source whose checked values are not those that it has; `nil` if there
  /// are none to check.
  var strayRowSQL: String? {
    let names = Dictionary(firstOf: renamed.map { ($0.after, $0.before) })
    let conditions = values.filter { checked.contains($0.column) }.map { assignment in
      "s.\(SQLText.quoted(names[assignment.column] ?? assignment.column)) IS NOT "
        + assignment.value.sql
    }
    return conditions.isEmpty
      ? nil
      : "SELECT 1 FROM source.\(SQLText.quoted(source)) AS s "
        + "WHERE \(conditions.joined(separator: " OR ")) LIMIT 1"
  }

  /// The statement that sets the values of rows with row ids from parameter 1 to parameter 2.
  var updateSQL: String {
    let table = "UPDATE main.\(SQLText.quoted(destination)) AS d SET "
    let range = "d.rowid BETWEEN ?1 AND ?2"
    let constants = values.compactMap { assignment -> String? in
      guard case .constant(let value) = assignment.value else { return nil }
      return "\(SQLText.quoted(assignment.column)) = \(value.literal)"
    }
    if constants.count == values.count {
      return "\(table)\(constants.joined(separator: ", ")) WHERE \(range)"
    }
    let places = values.indices.map { "n.\"\($0)\"" }
    let setters = zip(values, places).map { "\(SQLText.quoted($0.column)) = \($1)" }
    let differences = zip(values, places).map { "d.\(SQLText.quoted($0.column)) IS NOT \($1)" }
    let computed = values.enumerated().map { "\($1.value.sql) AS \"\($0)\"" }
    return "\(table)\(setters.joined(separator: ", ")) FROM (SELECT s.rowid AS k, "
      + "\(computed.joined(separator: ", ")) FROM source.\(SQLText.quoted(source)) AS s "
      + "WHERE s.rowid BETWEEN ?1 AND ?2) AS n WHERE \(range) AND d.rowid = n.k "
      + "AND (\(differences.joined(separator: " OR ")))"
  }
}
