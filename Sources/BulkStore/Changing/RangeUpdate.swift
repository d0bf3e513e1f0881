internal import BulkSQLite

/// A statement that changes the rows of a table of a copied store, range by range.
package final class RangeUpdate {
  private let statement: Statement
  private let transactions: TransactionLog

  /// Sets the values of a table; rows that have them already are not written.
  ///
  /// - Throws: ``StoreError`` if a value does not fit the two stores.
  package convenience init(_ change: TableChange, _ session: StoreSession) throws(StoreError) {
    try self.init(change.updateSQL, session)
  }

  /// A statement for the rows with row ids from parameter 1 to parameter 2.
  private init(_ sql: String, _ session: StoreSession) throws(StoreError) {
    statement = try session.prepare(sql)
    transactions = session.transactions
  }

  /// Changes the rows with row ids in a range.
  package func run(_ range: ClosedRange<Int64>) throws(StoreError) {
    try transactions.transaction { () throws(StoreError) in
      try statement.bind(.integer(range.lowerBound), at: 1)
      try statement.bind(.integer(range.upperBound), at: 2)
      try statement.run()
    }
  }

  /// Removes the rows of entities that are removed from a table that names entities by number, and renumbers the
  /// others.
  ///
  /// Numbers become negative before they become the new ones, so that no two meet under a unique index.
  ///
  /// - Throws: ``StoreError`` if there is no such column.
  package static func renumber(
    _ column: AncillaryColumn,
    _ numbers: [Int64: Int64],
    _ session: StoreSession
  ) throws(StoreError) -> [RangeUpdate] {
    let (table, name) = (SQLText.quoted(column.table), SQLText.quoted(column.column))
    let range = "rowid BETWEEN ?1 AND ?2 AND"
    let kept = ColumnExpression.list(numbers.keys.sorted())
    let removal = "DELETE FROM main.\(table) WHERE \(range) (\(name) IN (\(kept))) IS NOT 1"
    let renumbered = numbers.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
    guard !renumbered.isEmpty else { return [try RangeUpdate(removal, session)] }
    let cases = renumbered.map { "WHEN \($0.key) THEN -\($0.value)" }.joined(separator: " ")
    let update =
      "UPDATE main.\(table) SET \(name) = CASE \(name) \(cases) END "
      + "WHERE \(range) \(name) IN (\(ColumnExpression.list(renumbered.map(\.key))))"
    return [try RangeUpdate(removal, session), try RangeUpdate(update, session)]
  }

  /// The statement that ends ``renumber(_:_:_:)`` when all rows have their negative numbers.
  package static func settle(
    _ column: AncillaryColumn,
    _ session: StoreSession
  ) throws(StoreError) -> RangeUpdate {
    let (table, name) = (SQLText.quoted(column.table), SQLText.quoted(column.column))
    let update = "UPDATE main.\(table) SET \(name) = -\(name)"
    return try RangeUpdate("\(update) WHERE rowid BETWEEN ?1 AND ?2 AND \(name) < 0", session)
  }

  /// Removes the mirrored pairs of relationships that are removed.
  package static func remove(
    _ relationships: [PropertyKey],
    _ session: StoreSession
  ) throws(StoreError) -> RangeUpdate {
    let removed = MirroringTables.are(relationships).sql
    let table = SQLText.quoted(MirroringTables.relationships)
    return try RangeUpdate(
      "DELETE FROM main.\(table) AS s WHERE s.rowid BETWEEN ?1 AND ?2 AND \(removed)",
      session
    )
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
    case .column, .firstNonNull, .renumbered, .byEntity, .firstPartner, .placeAtFirstPartner,
      .mutual, .prefixed, .unprefixed, .entityNumber, .storedEntity, .onlyIf, .onlyWith, .shifted,
      .translated, .columnOfRow, .linked, .computed:
      nil
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
    let names = Dictionary(
      renamed.map { ($0.after, $0.before) },
      uniquingKeysWith: { first, _ in first }
    )
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
