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
    guard knownContents == nil else { return }
    guard var census = PageCensus(file, isStopped: isStopped, willRead: willRead) else {
      return
    }
    var contents: [String: TableContents] = [:]
    try Self.take(1, of: "the schema", path, &census)
    let statement = try connection.prepare(
      "SELECT type, name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0 ORDER BY rowid"
    )
    while try statement.step() {
      let isIndex = statement.text(at: 0) == "index"
      let table = "table \(statement.text(at: isIndex ? 2 : 1))"
      let subject = isIndex ? "index \(statement.text(at: 1)) of \(table)" : table
      let root = UInt32(clamping: statement.int64(at: 3))
      guard !isIndex else {
        try Self.take(root, of: subject, path, &census)
        continue
      }
      let name = statement.text(at: 1)
      do throws(PageCensus.Fault) {
        contents[name] = try census.contents(ofTable: root, counting: entityColumn(of: name)) {
          didRead(name, $0)
        }
      } catch {
        throw error.damage(of: subject, path)
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
    try take(1, of: "the schema", file.path, &census)
  }

  private static func take(
    _ root: UInt32,
    of subject: String,
    _ path: String,
    _ census: inout PageCensus
  ) throws(StoreError) {
    do throws(PageCensus.Fault) {
      try census.take(root: root)
    } catch {
      throw error.damage(of: subject, path)
    }
  }
}

extension PageCensus.Fault {
  fileprivate func damage(of subject: String, _ path: String) -> StoreError {
    switch self {
    case .shared(let page):
      Self.damage("page \(page), to which \(subject) leads, is used elsewhere already", path)
    case .tooLong(let page):
      Self.damage("page \(page) of \(subject) begins more values than the file can hold", path)
    case .malformed(let page):
      Self.damage("page \(page) of \(subject) leads to a page by bytes that are not its own", path)
    case .stopped: StoreError(.interrupted, message: "interrupted", path: path)
    }
  }

  private static func damage(_ what: String, _ path: String) -> StoreError {
    StoreError(.corrupt, message: "it is damaged: \(what)", path: path)
  }
}

extension PersistentStore {
  /// Whether the file, or some tables of it, are as SQLite leaves them, see ``SoundnessCheck``.
  package func isSound(
    except indexes: Set<String> = [],
    only tables: [String]? = nil,
    noting census: KeyCensus? = nil,
    willRead: (Int64) -> Void = { _ in },
    isStopped: () -> Bool
  ) throws(StoreError) -> Bool {
    try SoundnessCheck(of: file, except: indexes, only: tables.map { Set($0) })
      .isSound(noting: census, willRead: willRead, isStopped: isStopped)
  }

  /// Calls a body with the records of a table that are longer than ``LargeValue/bound``, see ``LargeRecordScan``.
  package func scanLargeRecords(
    of table: String,
    _ found: (_ key: Int64, _ bytes: Int64, [(column: Int, bytes: Int64, isText: Bool)]) -> Void
  ) throws(StoreError) {
    try LargeRecordScan(of: table, in: file)?.scan(above: LargeValue.bound, found)
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
