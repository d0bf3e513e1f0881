internal import BulkSQLite

/// Checks keys that were copied unchanged and may be dangling.
package struct ReferenceCheck: Hashable, Sendable {
  package enum Remedy: Hashable, Sendable {
    /// The key becomes NULL, and so do the columns that belong to it.
    case clear([String])
    case remove
  }

  package let table: String
  package let column: String
  package let target: String
  /// The numbers that the objects' entities may have; `nil` for all of the table.
  package let entities: [Int64]?
  package let remedy: Remedy

  package init(
    _ table: String,
    _ column: String,
    leadsTo target: String,
    _ entities: [Int64]?,
    else remedy: Remedy
  ) {
    self.table = table
    self.column = column
    self.target = target
    self.entities = entities
    self.remedy = remedy
  }

  private var condition: String {
    let name = SQLText.quoted(column)
    let isKind = entities.map { " AND t.Z_ENT IN (\(ColumnExpression.list($0)))" } ?? ""
    return "d.\(name) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.\(SQLText.quoted(target)) "
      + "AS t WHERE t.Z_PK = d.\(name)\(isKind))"
  }

  /// The statement that finds such a row; an index on the column lists the keys in order.
  private var findSQL: String {
    "SELECT 1 FROM main.\(SQLText.quoted(table)) AS d WHERE \(condition) LIMIT 1"
  }

  /// The same, which looks each key up once; for a column without an index SQLite would sort the keys.
  private var findDistinctSQL: String {
    let name = SQLText.quoted(column)
    return "SELECT 1 FROM (SELECT DISTINCT \(name) FROM main.\(SQLText.quoted(table))) AS d "
      + "WHERE \(condition) LIMIT 1"
  }

  /// Whether a statement sorts rows, or keeps them elsewhere.
  private func sorts(_ sql: String, _ connection: Connection) throws(StoreError) -> Bool {
    let plan = try connection.prepare("EXPLAIN QUERY PLAN \(sql)")
    while try plan.step() {
      let step = plan.text(at: 3)
      if step.contains("TEMP B-TREE") || step.contains("MATERIALIZE") { return true }
    }
    return false
  }

  private func finds(_ connection: Connection) throws(StoreError) -> Bool {
    let sql = try sorts(findDistinctSQL, connection) ? findSQL : findDistinctSQL
    return try connection.value(sql) != nil
  }

  /// The statement that repairs those with row ids from parameter 1 to parameter 2.
  private var repairSQL: String {
    let name = SQLText.quoted(table)
    let range = "d.rowid BETWEEN ?1 AND ?2"
    switch remedy {
    case .clear(let others):
      let setters = ([column] + others).map { "\(SQLText.quoted($0)) = NULL" }
      return "UPDATE main.\(name) AS d SET \(setters.joined(separator: ", ")) "
        + "WHERE \(range) AND \(condition)"
    case .remove: return "DELETE FROM main.\(name) AS d WHERE \(range) AND \(condition)"
    }
  }
}

extension ReferenceCheck {
  /// Repairs the rows whose keys are dangling, unless it is known that there are none.
  package func repair(
    _ session: StoreSession,
    isKnownToHold isKnown: Bool = false
  ) throws(StoreError) {
    try session.transactions.transaction { () throws(StoreError) in
      guard !isKnown, try finds(session.connection) else { return }
      try session.run(repairSQL, overRowsOf: table)
    }
  }
}
