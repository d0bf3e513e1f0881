/// A table of a store file.
package struct FileTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package let name: String
    /// As written.
    package let declaredType: String

    package init(name: String, declaredType: String) {
      self.name = name
      self.declaredType = declaredType
    }

    /// Whether a deferred migration of Core Data left it, to be cleaned up later: `_DEFERRED_<uuid>__<COLUMN>`
    /// (formats/migration.md 4.4).
    package var isDeferred: Bool {
      let prefix = "_DEFERRED_"
      let rest = name.dropFirst(prefix.count).drop { $0.isHexDigit || $0 == "-" }
      return name.hasPrefix(prefix) && rest.hasPrefix("__") && rest.count > 2
    }

    /// Its name among unmanaged columns.
    package func title(in table: String) -> String {
      "\(isDeferred ? "deferred column" : "column") \(table).\(name)"
    }
  }

  package let name: String
  /// In order, without computed ones.
  package let columns: [Column]
  package let sql: String
  /// The columns of each uniqueness constraint in its statement.
  ///
  /// Core Data wrote uniqueness constraints this way before it used indexes (in version 637, no longer in
  /// 865).
  package let uniqueConstraints: [[String]]
  /// Whether it has computed or hidden columns, which are not in ``columns``.
  package let hasHiddenColumns: Bool
  /// Whether its rows have row ids, as those of all Core Data tables do.
  package let hasRowID: Bool
  package let primaryKey: [String]
  /// The column that is an alias of the row id, if there is one.
  package let rowIDColumn: String?

  /// The name by which SQL can refer to the row id; `nil` if there is none or columns have taken all its
  /// names.
  package var rowIDName: String? {
    hasRowID ? ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil } : nil
  }

  /// The name is case-insensitive as in SQLite.
  package func column(named name: String) -> Column? {
    columns.first { $0.name.asciiUppercased == name.asciiUppercased }
  }

  private static let constraintWords: Set<Substring> = [
    "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "NOT", "NULL", "DEFAULT", "COLLATE",
    "REFERENCES", "GENERATED", "AS", "WITHOUT", "STRICT",
  ]

  /// The constraints in its statement, part by part, in capitals and without quotation marks of names; those of a column
  /// with its name.
  package var constraints: Set<String> {
    let start = sql.firstIndex(of: "(").map { sql.index(after: $0) } ?? sql.endIndex
    let end = sql.lastIndex(of: ")") ?? sql.endIndex
    guard start <= end else { return [sql] }
    var parts = [""]
    var depth = 0
    var isText = false
    for character in sql[start..<end] where character != "\"" {
      if character == "'" { isText.toggle() }
      if !isText { depth += character == "(" ? 1 : character == ")" ? -1 : 0 }
      if character == ",", depth == 0, !isText {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    parts.append(String(sql[end...].dropFirst()))
    return Set(
      parts.compactMap { part in
        let words = part.uppercased().split(whereSeparator: \.isWhitespace)
        let first = words.firstIndex { Self.constraintWords.contains($0.prefix { $0 != "(" }) }
        guard let first else { return nil }
        return (words[..<min(first, 1)] + words[first...]).joined(separator: " ")
      }
    )
  }
}

extension FileTable {
  /// The columns to name in a statement that copies all rows: those that are not computed, and the row id,
  /// to which other tables may refer.
  var copiedColumns: [String] { [rowIDName].compactMap(\.self) + columns.map(\.name) }

  /// Whether its records are its rows: columns are not computed, and missing ones are NULL.
  package var hasPlainRecords: Bool {
    hasRowID && !hasHiddenColumns && !sql.uppercased().contains("DEFAULT")
  }

  /// Whether SQLite remembers its highest key, so that no key is handed out twice.
  var countsKeys: Bool { sql.uppercased().contains("AUTOINCREMENT") }
}

/// An index, trigger, view or virtual table of a store file.
package struct FileObject: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case index
    case trigger
    case view
    /// A table that a module of SQLite implements.
    case virtualTable
  }

  package let kind: Kind
  package let name: String
  package let table: String
  package let sql: String
  /// `nil` for other kinds than indexes.
  package let signature: IndexSignature?
}
