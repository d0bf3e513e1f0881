internal import BulkSQLite

/// The rows of one source table that become rows of one destination table.
///
/// A transfer runs in ranges of the source rows' keys, in ascending order, so that the destination's pages
/// are filled once, from left to right.
package struct RowTransfer: Hashable, Sendable {
  /// One column of the destination.
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
  /// The columns of the destination with their values.
  package var assignments: [Assignment]
  /// The conditions that a source row must satisfy; all must hold.
  package let conditions: [Condition]
  /// Whether to leave out a row whose key the destination has already.
  package let ignoresDuplicates: Bool

  /// A condition on a source row, in SQL over `s`.
  package enum Condition: Hashable, Sendable {
    /// Its entity is in a list.
    case entityIn([Int64])
    /// The number in a column is in a list.
    case columnIn(String, [Int64])
    /// A column has a text.
    case isText(String, String)
    case notNull(ColumnExpression)
    /// The row of a table with a key exists, and its entity is in a list.
    case partner(key: ColumnExpression, table: String, entityIn: [Int64])
    /// There is another row.
    case matches(RowMatch)
    /// All conditions of one of the sets hold.
    case any([[Condition]])
    /// In each of the sets some condition does not hold.
    case none([[Condition]])
    /// A number is less than another one.
    case isLess(ColumnExpression, than: ColumnExpression)
    /// A condition of a mapping.
    case satisfies(RowCondition)
  }

  package init(
    to destination: String,
    from source: String,
    _ assignments: [Assignment],
    where conditions: [Condition] = [],
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
  package var selectSQL: String {
    "SELECT \(assignments.map(\.value.sql).joined(separator: ", ")) \(rowsSQL)"
  }

  /// The source rows with keys from parameter 1 to parameter 2, both included, as the end of a SELECT.
  package var rowsSQL: String {
    let range = "s.rowid BETWEEN ?1 AND ?2"
    let all = ([range] + conditions.map(\.sql)).joined(separator: " AND ")
    return "FROM source.\(SQLText.quoted(source)) AS s WHERE \(all) "
      + "ORDER BY s.rowid"
  }
}

extension RowTransfer.Condition {
  package var sql: String {
    switch self {
    case .entityIn(let numbers): "s.Z_ENT IN (\(ColumnExpression.list(numbers)))"
    case .columnIn(let column, let numbers):
      "s.\(SQLText.quoted(column)) IN (\(ColumnExpression.list(numbers)))"
    case .isText(let column, let text):
      "s.\(SQLText.quoted(column)) = \(SQLText.quoted(literal: text))"
    case .notNull(let value): "\(value.sql) IS NOT NULL"
    case .partner(let key, let table, let numbers):
      "EXISTS (SELECT 1 FROM source.\(SQLText.quoted(table)) AS p WHERE p.Z_PK = \(key.sql) "
        + "AND p.Z_ENT IN (\(ColumnExpression.list(numbers))))"
    case .matches(let row): row.sql
    case .any(let sets): Self.any(of: sets)
    case .none(let sets): "NOT \(Self.any(of: sets))"
    case .isLess(let value, let other): "\(value.sql) < \(other.sql)"
    case .satisfies(let condition): condition.sql
    }
  }

  /// That all conditions of one of the sets hold, in SQL.
  static func any(of sets: [[RowTransfer.Condition]]) -> String {
    guard !sets.isEmpty else { return "0" }
    let all = sets.map { conditions in
      conditions.isEmpty ? "1" : "(\(conditions.map(\.sql).joined(separator: " AND ")))"
    }
    // An unknown condition is not satisfied.
    return "(\(all.map { "ifnull(\($0), 0)" }.joined(separator: " OR ")))"
  }
}

extension RowTransfer {
  /// Whether every row of the source table becomes a row of the destination.
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
