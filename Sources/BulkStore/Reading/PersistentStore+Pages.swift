package import BulkSQLite

extension PersistentStore {
  /// Refuses a store whose tables and indexes share pages: reading it could take forever.
  ///
  /// Every page of the file is read at most once, and the contents of tables are known afterwards;
  /// a store that was found sound and has not changed is not read again.
  ///
  /// `willRead` gets the offset of every page before it is read; `didRead` gets, after some
  /// mebibytes, a table and a key through which its rows are read. A stop is an error.
  package func refuseSharedPages(
    isStopped: @escaping () -> Bool = { false },
    willRead: @escaping (Int64) -> Void = { _ in },
    didRead: @escaping (_ table: String, _ key: Int64) -> Void = { _, _ in }
  ) throws(StoreError) {
    guard knownContents == nil,
      var census = PageCensus(file, isStopped: isStopped, willRead: willRead)
    else { return }
    var contents: [String: TableContents] = [:]
    try census.take(root: 1, of: "the schema")
    let statement = try connection.prepare(
      "SELECT type, name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0 ORDER BY rowid"
    )
    while try statement.step() {
      let isIndex = statement.text(at: 0) == "index"
      let (name, root) = (statement.text(at: 1), UInt32(clamping: statement.int64(at: 3)))
      let table = "table \(isIndex ? statement.text(at: 2) : name)"
      if isIndex {
        try census.take(root: root, of: "index \(name) of \(table)")
        continue
      }
      let column = entityColumn(of: name)
      contents[name] = try census.contents(ofTable: root, of: table, counting: column) {
        didRead(name, $0)
      }
    }
    note(contents)
  }

  /// The index of `Z_ENT` in the records of a table; `nil` if it has none where Core Data puts it.
  private func entityColumn(of table: String) -> Int? {
    let columns = schema.table(named: table)?.columns.prefix(2).map(\.name)
    return columns == ["Z_PK", "Z_ENT"] ? 1 : nil
  }

  /// Whether a table certainly has no record that is larger than some bytes, as its pages were found.
  package func hasNoRecord(above bound: Int, in table: String) -> Bool {
    knownContents?[table].map { $0.largestRecord <= bound } ?? false
  }

  package var censusBytes: Int64 {
    PageCensus.bytes(ofPages: size / Int64(pageSize), of: pageSize)
  }

  /// Refuses a file whose schema itself could be read forever.
  static func refuseEndlessSchema(_ file: SourceFile) throws(StoreError) {
    guard var census = PageCensus(file) else { return }
    try census.take(root: 1, of: "the schema")
  }
}

extension PersistentStore {
  /// Whether the file, or some tables of it, are as SQLite leaves them, see
  /// ``SourceFile/isSound(except:only:noting:willRead:isStopped:)``.
  package func isSound(
    except indexes: Set<String> = [],
    only tables: [String]? = nil,
    noting census: KeyCensus? = nil,
    willRead: (Int64) -> Void = { _ in },
    isStopped: () -> Bool
  ) throws(StoreError) -> Bool {
    try file.isSound(
      except: indexes,
      only: tables.map { Set($0) },
      noting: census,
      willRead: willRead,
      isStopped: isStopped
    )
  }

  /// Calls a body with the records of a table that are longer than ``LargeValue/bound``, see
  /// ``SourceFile/eachRecord(of:above:_:)``.
  package func scanLargeRecords(
    of table: String,
    _ found: (_ key: Int64, _ bytes: Int64, [(column: Int, bytes: Int64, isText: Bool)]) -> Void
  ) throws(StoreError) {
    try file.eachRecord(of: table, above: LargeValue.bound, found)
  }

  /// Copies the store into an existing file, as one whose journal and log are empty; it is not synced.
  package func copy(to path: String, isStopped: () -> Bool) throws(StoreError) {
    try DatabaseCopy(of: file, to: path).finish(isStopped: isStopped)
  }

  /// Copies the store as ``copy(to:isStopped:)`` and checks it in the same reading; an unsound one
  /// is not copied to its end.
  ///
  /// Returns whether everything in the store is as SQLite leaves it, but for the entries of some
  /// indexes.
  package func copyIfSound(
    to path: String,
    except indexes: Set<String>,
    isStopped: () -> Bool
  ) throws(StoreError) -> Bool {
    let copy = try DatabaseCopy(of: file, to: path)
    guard
      try isSound(
        except: indexes,
        willRead: copy.advance(through:),
        isStopped: isStopped
      )
    else { return false }
    try copy.finish(isStopped: isStopped)
    return true
  }
}
