internal import BulkSQLite

/// The rows of one source table that become rows of one destination table.
///
/// A transfer runs in ranges of the source rows' keys, in ascending order, so that the destination's pages
/// are filled once, from left to right.
package struct RowTransfer: Hashable, Sendable {
  package struct Assignment: Hashable, Sendable {
    package let column: String
    package let value: ColumnExpression

    package init(_ column: String, _ value: ColumnExpression) {
      self.column = column
      self.value = value
    }
  }

  package let destination: String
  package let source: String
  package var assignments: [Assignment]
  /// All of them must hold.
  package let conditions: [ColumnExpression]
  /// Whether to leave out a row whose key the destination has already.
  package let ignoresDuplicates: Bool

  package init(
    to destination: String,
    from source: String,
    _ assignments: [Assignment],
    where conditions: [ColumnExpression] = [],
    ignoresDuplicates: Bool = false
  ) {
    self.destination = destination
    self.source = source
    self.assignments = assignments
    self.conditions = conditions
    self.ignoresDuplicates = ignoresDuplicates
  }

  /// The transfer of rows that are known to satisfy its conditions.
  package var withoutConditions: RowTransfer {
    RowTransfer(to: destination, from: source, assignments, ignoresDuplicates: ignoresDuplicates)
  }

  /// The statement that transfers the rows with keys from parameter 1 to parameter 2, both included.
  package var sql: String {
    let columns = assignments.map { SQLText.quoted($0.column) }.joined(separator: ", ")
    return "INSERT \(ignoresDuplicates ? "OR IGNORE " : "")INTO main."
      + "\(SQLText.quoted(destination)) (\(columns)) \(selectSQL)"
  }

  /// The statement that reads the rows with keys from parameter 1 to parameter 2, both included, as they are
  /// in the destination; its columns are those of ``assignments``.
  var selectSQL: String {
    "SELECT \(assignments.map(\.value.sql).joined(separator: ", ")) \(rowsSQL)"
  }

  /// The source rows with keys from parameter 1 to parameter 2, both included, as the end of a SELECT.
  var rowsSQL: String {
    let range = "s.rowid BETWEEN ?1 AND ?2"
    let all = ([range] + conditions.map(\.sql)).joined(separator: " AND ")
    return "FROM source.\(SQLText.quoted(source)) AS s WHERE \(all) "
      + "ORDER BY s.rowid"
  }
}

extension RowTransfer {
  package var movesAllRows: Bool { conditions.isEmpty && !ignoresDuplicates }

  /// Whether every row moves, with every value unchanged or a constant.
  package var isPlainCopy: Bool {
    conditions.isEmpty
      && assignments.allSatisfy { assignment in
        switch assignment.value {
        case .column, .constant: true
        case .renumbered(_, let numbers): numbers.allSatisfy { $0.key == $0.value }
        default: false
        }
      }
  }

  /// The destination columns of the source columns that are copied, by the source's names in capitals.
  package var carriedColumns: [String: String] {
    let columns = assignments.compactMap { assignment in
      assignment.value.carriedColumn.map { ($0.uppercased(), assignment.column) }
    }
    return Dictionary(columns) { _, last in last }
  }
}
