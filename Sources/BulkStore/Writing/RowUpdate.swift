internal import BulkSQLite

/// Columns of destination rows that follow from the source rows of which the rows were made.
///
/// An update is carried out in ranges of the source rows' keys, like a ``RowTransfer``.
package struct RowUpdate: Hashable, Sendable {
  /// The destination table.
  package let destination: String
  /// The source table.
  package let source: String
  /// The columns to fill in.
  package let assignments: [RowTransfer.Assignment]
  /// What is added to a source key to give the destination key.
  package let keyOffset: Int64
  /// What a source row must satisfy.
  package let conditions: [RowTransfer.Condition]

  package init(
    of destination: String,
    from source: String,
    _ assignments: [RowTransfer.Assignment],
    keyOffset: Int64,
    where conditions: [RowTransfer.Condition]
  ) {
    self.destination = destination
    self.source = source
    self.assignments = assignments
    self.keyOffset = keyOffset
    self.conditions = conditions
  }

  /// The statement that fills in rows made of source rows with keys from parameter 1 to parameter 2.
  package var sql: String {
    let key = ColumnExpression.shifted(.column("Z_PK"), by: keyOffset).sql
    let all = (["s.rowid BETWEEN ?1 AND ?2", "d.Z_PK = \(key)"] + conditions.map(\.sql))
      .joined(separator: " AND ")
    return "UPDATE main.\(SQLText.quoted(destination)) AS d SET \(setters) "
      + "FROM source.\(SQLText.quoted(source)) AS s WHERE \(all)"
  }

  /// The statement that fills in the row with the key of parameter 2, which was made of the source row
  /// with the key of parameter 1.
  package var pairSQL: String {
    "UPDATE main.\(SQLText.quoted(destination)) AS d SET \(setters) "
      + "FROM source.\(SQLText.quoted(source)) AS s WHERE s.Z_PK = ?1 AND d.Z_PK = ?2"
  }

  /// The association tables that the update asks.
  package var associations: Set<Int> {
    assignments.reduce(into: []) { $0.formUnion($1.value.associations) }
  }

  private var setters: String {
    assignments.map { "\(SQLText.quoted($0.column)) = \($0.value.sql)" }.joined(separator: ", ")
  }
}
