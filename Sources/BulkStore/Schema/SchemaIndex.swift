/// An index of a store.
package struct SchemaIndex: Hashable, Sendable {
  /// How Core Data writes the columns of an index.
  package enum Style: Hashable, Sendable {
    /// `(COLUMN, COLUMN)`
    case plain
    /// `(COLUMN COLLATE BINARY ASC, …)`, for fetch indexes and uniqueness constraints.
    case collated
  }

  package struct Term: Hashable, Sendable {
    package let column: String
    /// Whether its values ascend.
    package let isAscending: Bool

    package init(_ column: String, isAscending: Bool = true) {
      self.column = column
      self.isAscending = isAscending
    }
  }

  package let name: String
  package let table: String
  /// The columns, most significant first.
  package let terms: [Term]
  /// Whether no two rows may have equal terms.
  package private(set) var isUnique = false
  /// The condition of a partial index, in SQL.
  package private(set) var condition: String?
  /// How the columns are written.
  package let style: Style

  /// The statement that makes the index, as Core Data writes it.
  package var sql: String {
    let list = terms.map { term in
      switch style {
      case .plain: SchemaSQL.name(term.column)
      case .collated:
        "\(SchemaSQL.name(term.column)) COLLATE BINARY \(term.isAscending ? "ASC" : "DESC")"
      }
    }
    let unique = isUnique ? "UNIQUE " : ""
    let suffix = condition.map { " WHERE \($0)" } ?? ""
    return "CREATE \(unique)INDEX \(SchemaSQL.name(name)) ON \(SchemaSQL.name(table)) "
      + "(\(list.joined(separator: ", ")))\(suffix)"
  }
}
