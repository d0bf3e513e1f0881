internal import BulkModel
internal import BulkSQLite

/// The change of a table of a copied store: its name, its columns, and the values that are set.
package struct TableChange: Hashable, Sendable {
  package struct Rename: Hashable, Sendable {
    package let before: String
    package let after: String

    package init(_ before: String, to after: String) {
      (self.before, self.after) = (before, after)
    }

    /// The same renames in an order in which every new name is free: through temporary names where one
    /// takes a name that another still has.
    static func inOrder(_ renames: [Rename]) -> [Rename] {
      let before = Set(renames.map { $0.before.uppercased() })
      let waiting = renames.filter { before.contains($0.after.uppercased()) }
      let others = renames.filter { !before.contains($0.after.uppercased()) }
      let temporary = waiting.indices.map { "bulkmigrate \($0 + 1)" }
      return zip(waiting, temporary).map { Rename($0.before, to: $1) } + others
        + zip(waiting, temporary).map { Rename($1, to: $0.after) }
    }
  }

  package let source: String
  package let destination: String
  package let dropped: [String]
  package let renamed: [Rename]
  /// The columns that are added at the end, with nothing in them.
  package let added: [FileTable.Column]
  /// The columns that get values, which are computed from the row of the source table with the same row id.
  package let values: [RowTransfer.Assignment]
  /// The columns among them whose values are those of the source already, but for stray ones.
  package let checked: Set<String>

  package init(
    _ source: String,
    to destination: String,
    dropped: [String] = [],
    renamed: [Rename] = [],
    added: [FileTable.Column] = [],
    values: [RowTransfer.Assignment] = [],
    checked: Set<String> = []
  ) {
    self.source = source
    self.destination = destination
    self.dropped = dropped
    self.renamed = renamed
    self.added = added
    self.values = values
    self.checked = checked
  }

  /// The number of times that every row is rewritten.
  package var rewrites: Int {
    dropped.count + (values.contains { !checked.contains($0.column) } ? 1 : 0)
  }

  var onlyAdds: Bool { source == destination && dropped.isEmpty && renamed.isEmpty }
  package var readsRows: Bool { rewrites > 0 || !values.isEmpty }

  /// Whether the values follow from the rows of the table alone, so that nothing else has to be read.
  var followsFromRows: Bool {
    values.allSatisfy { $0.value.ownSQL(as: $0.column) != nil || checked.contains($0.column) }
  }

  /// The statements that change its columns, when it has its new name.
  var columnStatements: [String] {
    let table = "ALTER TABLE main.\(SQLText.quoted(destination))"
    return dropped.map { "\(table) DROP COLUMN \(SQLText.quoted($0))" }
      + Rename.inOrder(renamed).map {
        "\(table) RENAME COLUMN \(SQLText.quoted($0.before)) TO \(SchemaSQL.name($0.after))"
      }
      + added.map { "\(table) ADD COLUMN \(SchemaSQL.name($0.name)) \($0.declaredType)" }
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
  package var ownUpdateSQL: String? {
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

  /// The statement that sets the values of rows with row ids from parameter 1 to parameter 2; rows that have them
  /// already are not written.
  package var updateSQL: String {
    let table = "UPDATE main.\(SQLText.quoted(destination)) AS d SET "
    let range = "d.rowid BETWEEN ?1 AND ?2"
    let constants = values.compactMap { assignment -> String? in
      guard case .constant(let value) = assignment.value else { return nil }
      return "\(SQLText.quoted(assignment.column)) = \(value.literal)"
    }
    if constants.count == values.count {
      return "\(table)\(constants.joined(separator: ", ")) WHERE \(range)"
    }
    let newValues = values.indices.map { "n.\"\($0)\"" }
    let setters = zip(values, newValues).map { "\(SQLText.quoted($0.column)) = \($1)" }
    let differences = zip(values, newValues).map { "d.\(SQLText.quoted($0.column)) IS NOT \($1)" }
    let computed = values.enumerated().map { "\($1.value.sql) AS \"\($0)\"" }
    return "\(table)\(setters.joined(separator: ", ")) FROM (SELECT s.rowid AS k, "
      + "\(computed.joined(separator: ", ")) FROM source.\(SQLText.quoted(source)) AS s "
      + "WHERE s.rowid BETWEEN ?1 AND ?2) AS n WHERE \(range) AND d.rowid = n.k "
      + "AND (\(differences.joined(separator: " OR ")))"
  }
}
