/// A table as a store file has it.
package struct FileTable: Hashable, Sendable {
  /// A column as a store file has it.
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
  /// Its columns in order, without those that are computed from others.
  package let columns: [Column]
  /// The statement that made it.
  package let sql: String
  /// The columns of each uniqueness constraint that its statement holds.
  ///
  /// Core Data wrote uniqueness constraints so before it made indexes of them (637, not any more in
  /// 865).
  package let uniqueConstraints: [[String]]
  /// Whether it has columns that are computed or hidden, which are not among ``columns``.
  package let hasHiddenColumns: Bool
  /// Whether its rows lie under a row id, as those of all tables of Core Data do.
  package let hasRowID: Bool
  /// The columns of its primary key, in the order of the key.
  package let primaryKey: [String]
  /// The column that is another name of the row id, if there is one.
  package let rowIDColumn: String?

  /// The name under which SQLite gives the row id; `nil` if there is none or columns took all names.
  package var rowIDName: String? {
    hasRowID ? ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil } : nil
  }

  /// A column by name, without regard to case, as SQLite finds it.
  package func column(named name: String) -> Column? {
    columns.first { $0.name.uppercased() == name.uppercased() }
  }
}

extension FileTable {
  /// The columns to name in a statement that copies all rows: those that are not computed, and the row
  /// id, which other tables may refer to.
  var copiedColumns: [String] { [rowIDName].compactMap(\.self) + columns.map(\.name) }

  /// Whether its keys are counted, so that none is given out twice.
  var countsKeys: Bool { sql.uppercased().contains("AUTOINCREMENT") }
}
