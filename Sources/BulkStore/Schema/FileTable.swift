/// A table of a store file.
package struct FileTable: Hashable, Sendable {
  /// A column of a store file.
  package struct Column: Hashable, Sendable {
    /// The column's name.
    package let name: String
    /// Its declared type, as written.
    package let declaredType: String

    package init(name: String, declaredType: String) {
      self.name = name
      self.declaredType = declaredType
    }
  }

  /// The table's name.
  package let name: String
  /// Its columns in order, without computed ones.
  package let columns: [Column]
  /// The statement that made it.
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
  /// The columns of its primary key, in the order of the key.
  package let primaryKey: [String]
  /// The column that is an alias of the row id, if there is one.
  package let rowIDColumn: String?

  /// The name by which SQL can refer to the row id; `nil` if there is none or columns have taken all its
  /// names.
  package var rowIDName: String? {
    hasRowID ? ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil } : nil
  }

  /// A column by name, case-insensitive as in SQLite.
  package func column(named name: String) -> Column? {
    columns.first { $0.name.uppercased() == name.uppercased() }
  }
}

extension FileTable {
  /// The columns to name in a statement that copies all rows: those that are not computed, and the row id,
  /// to which other tables may refer.
  var copiedColumns: [String] { [rowIDName].compactMap(\.self) + columns.map(\.name) }

  /// Whether its records are its rows: nothing is computed, and what a record lacks is NULL.
  var hasPlainRecords: Bool {
    hasRowID && !hasHiddenColumns && !sql.uppercased().contains("DEFAULT")
  }

  /// Whether SQLite remembers its highest key, so that no key is handed out twice.
  var countsKeys: Bool { sql.uppercased().contains("AUTOINCREMENT") }
}

/// An index, trigger, view or virtual table of a store file.
package struct FileObject: Hashable, Sendable {
  /// The kind of a schema object.
  package enum Kind: String, Hashable, Sendable {
    /// An index made by a statement.
    case index
    /// A trigger.
    case trigger
    /// A view.
    case view
    /// A table that a module of SQLite implements.
    case virtualTable
  }

  /// Its kind.
  package let kind: Kind
  /// Its name.
  package let name: String
  /// The table to which it belongs; its own name for a view or a virtual table.
  package let table: String
  /// The statement that made it.
  package let sql: String
  /// The signature of an index; `nil` for any other kind.
  package let signature: IndexSignature?
}
