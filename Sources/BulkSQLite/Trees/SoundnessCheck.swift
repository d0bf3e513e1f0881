extension SourceFile {
  /// Whether the database, or some of its tables, is as SQLite leaves it, so that a copy of it can be changed.
  ///
  /// Every page is read once: trees, records, free pages and the pointer map must be consistent, and each index must hold
  /// the values of its table, compared by sums of digests, but for the entries of some indexes. After an irregularity the
  /// file may still be readable, but only SQLite's own reading of every row can show that. A check of some tables reads
  /// their pages, the schema and the list of free pages.
  ///
  /// The census knows the keys of all tables if the file is regular. `willRead` gets the offset of every page before it is
  /// read. `isStopped` is asked every few hundred pages; a stop is an error.
  package func isSound(
    except left: Set<String> = [],
    only tables: Set<String>? = nil,
    noting census: KeyCensus? = nil,
    willRead: (Int64) -> Void = { _ in },
    isStopped: () -> Bool
  ) throws(SQLiteError) -> Bool {
    do {
      return try withoutActuallyEscaping(isStopped) { isStopped in
        try withoutActuallyEscaping(willRead) { willRead in
          let check = try TreeCheck(self, willRead: willRead, isStopped: isStopped)
          return try check.isSound(except: left, only: tables, noting: census)
        }
      }
    } catch is TreeCheck.Stopped {
      throw SQLiteError(.interrupted, message: "told to stop", path: path)
    } catch {
      return false
    }
  }
}

extension TreeCheck {
  fileprivate func isSound(
    except left: Set<String>,
    only tables: Set<String>?,
    noting census: KeyCensus?
  ) throws -> Bool {
    let connection = try Connection(reading: file)
    try visit(root: 1, isTable: true, RecordReader(.schema))
    let entries = try connection.prepare(
      "SELECT type, name, rootpage FROM sqlite_schema WHERE rootpage > 0 ORDER BY rootpage"
    )
    var indexes: [UInt32] = []
    var visited: Set<UInt32> = []
    while try entries.step() {
      let (name, root) = (entries.text(at: 1), UInt32(clamping: entries.int64(at: 2)))
      if entries.text(at: 0) == "index" { indexes.append(root) }
      guard entries.text(at: 0) == "table", tables?.contains(name) ?? true else { continue }
      guard let table = try connection.table(name)?.checked(except: left) else { return false }
      let rows = RecordReader(table, noting: census?.begin(name, table.columns.map(\.name)))
      try visit(root: root, isTable: true, rows)
      for (position, index) in table.indexes.enumerated() {
        let found = RecordReader()
        try visit(root: index.root, isTable: false, found)
        guard found.sum(of: 0) == rows.sum(of: position) else { return false }
        visited.insert(index.root)
      }
    }
    if tables != nil {
      try visitFreePages()
      return true
    }
    for root in indexes where !visited.contains(root) {
      try visit(root: root, isTable: false, RecordReader())
    }
    try visitRest()
    return true
  }
}
