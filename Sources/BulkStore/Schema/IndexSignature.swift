internal import BulkSQLite

/// The meaning of an index, apart from its name: two indexes with one signature serve the same
/// queries and enforce the same rule.
package struct IndexSignature: Hashable, Sendable {
  package struct Term: Hashable, Sendable {
    /// In capitals; `nil` for an expression.
    package let column: String?
    package let isAscending: Bool
    package let collation: String
  }

  /// In capitals.
  package let table: String
  /// Most significant first.
  package let terms: [Term]
  package let isUnique: Bool
  /// In capitals and without quotes; an index without it is not partial.
  package let condition: String?

  init(table: String, terms: [Term], isUnique: Bool, condition: String?) {
    self.table = table.uppercased()
    self.terms = terms
    self.isUnique = isUnique
    self.condition = condition.map { text in
      text.uppercased().filter { $0 != "\"" }
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  init(unique columns: [String], table: String) {
    self.init(
      table: table,
      terms: columns.map {
        Term(column: $0.uppercased(), isAscending: true, collation: "BINARY")
      },
      isUnique: true,
      condition: nil
    )
  }
}

extension IndexSignature {
  /// The columns are renamed by their old names in capitals.
  ///
  /// `nil` if a column has no new name or the index has a condition or an expression.
  package func moved(to table: String, columns: [String: String]) -> IndexSignature? {
    guard condition == nil else { return nil }
    var moved: [Term] = []
    for term in terms {
      guard let column = term.column, let name = columns[column] else { return nil }
      moved.append(
        Term(column: name.uppercased(), isAscending: term.isAscending, collation: term.collation)
      )
    }
    return IndexSignature(table: table, terms: moved, isUnique: isUnique, condition: nil)
  }

  /// `nil` if the index has an expression.
  package func sql(named name: String) -> String? {
    var list: [String] = []
    for term in terms {
      guard let column = term.column else { return nil }
      let collation = term.collation == "BINARY" ? "" : " COLLATE \(SQLText.quoted(term.collation))"
      list.append(SchemaSQL.name(column) + collation + (term.isAscending ? "" : " DESC"))
    }
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SchemaSQL.name(name)) "
      + "ON \(SchemaSQL.name(table)) (\(list.joined(separator: ", ")))"
  }
}

extension SchemaIndex {
  package var signature: IndexSignature {
    IndexSignature(
      table: table,
      terms: terms.map {
        IndexSignature.Term(
          column: $0.column.uppercased(),
          isAscending: $0.isAscending,
          collation: "BINARY"
        )
      },
      isUnique: isUnique,
      condition: condition
    )
  }
}

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
    package let isAscending: Bool

    package init(_ column: String, isAscending: Bool = true) {
      self.column = column
      self.isAscending = isAscending
    }
  }

  package let name: String
  package let table: String
  /// Most significant first.
  package let terms: [Term]
  package private(set) var isUnique = false
  /// In SQL.
  package private(set) var condition: String?
  package let style: Style

  /// As Core Data writes it.
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
