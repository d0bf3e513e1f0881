/// Writes tables and their indexes as finished pages into the file of a connection, which SQLite has opened
/// and in which it has made them.
///
/// The rows of a table are appended in the order of their keys; several tables may get theirs in
/// turn. SQLite sees written pages only after ``commit(_:)``, and must not write before it. An
/// index counts once it is built.
package final class PageWriter {
  private let connection: Connection
  private let isDurable: Bool
  private let writesBehind: Bool
  private let memory: Int
  let isStopped: () -> Bool
  /// Called within a commit when something is on disk.
  package var step: () -> Void = {}
  private var pages: PageFile?
  private var isOpen = false
  private var tables: [TableWriter] = []
  private var index: TreeSpine?
  /// Whether the texts of the file are UTF-8; `nil` as long as that is not known.
  private var isUTF8: Bool?
  package let written: WrittenRows

  /// The memory is in bytes, for sorting the entries of indexes and for sets of keys.
  ///
  /// The connection records its file if commits are durable. With `writesBehind`, another thread
  /// writes pages while the next ones are made. `isStopped` is asked every few thousand entries.
  package init(
    _ connection: Connection,
    isDurable: Bool,
    memory: Int,
    writesBehind: Bool = false,
    isStopped: @escaping () -> Bool = { false }
  ) {
    self.writesBehind = writesBehind
    self.connection = connection
    self.isDurable = isDurable
    // A quarter of it is for sets of keys.
    self.memory = memory / 4 * 3
    written = WrittenRows(memory: memory / 4)
    self.isStopped = isStopped
  }

  var path: String { connection.path }

  /// Prepares to write rows of a table that is empty, or whose rows were all written here.
  ///
  /// The indexes are empty too; those that SQLite makes for keys are not among them. The former
  /// writer wrote the rows just before, since ``begin(_:)``, and must not be used any more. Returns
  /// `nil` if SQLite must write the rows, as those of a file whose texts are not UTF-8.
  package func table(
    _ name: String,
    _ columns: [String],
    indexes: Set<String>,
    after former: TableWriter? = nil
  ) throws(SQLiteError) -> TableWriter? {
    if let former { return TableWriter(former.definition, columns, self, after: former) }
    let found = try connection.reading { () throws(SQLiteError) in
      if isUTF8 == nil { isUTF8 = try connection.value("PRAGMA main.encoding") == .text("UTF-8") }
      return try isUTF8 == true ? connection.table(name)?.written(with: indexes) : nil
    }
    guard let definition = found else { return nil }
    return TableWriter(definition, columns, self)
  }

  package func holdsIntegers(_ columns: [String], of table: String) throws(SQLiteError) -> Bool {
    let integers = try connection.columns(of: table).filter {
      $0.affinity == .integer && !$0.isHidden
    }
    let names = Set(integers.map { $0.name.uppercased() })
    return columns.allSatisfy { names.contains($0.uppercased()) }
  }

  /// Begins to write rows of some tables, which share the memory; no others may be written until ``end()``.
  package func begin(_ tables: [TableWriter]) { self.tables = tables }

  func makeSet() -> KeySet { written.makeSet(with: tables.count - 1) }

  func file() throws(SQLiteError) -> PageFile {
    let file: PageFile
    if let pages {
      file = pages
    } else {
      file = try PageFile(connection, isDurable: isDurable, writesBehind: writesBehind)
    }
    pages = file
    if !isOpen {
      try file.begin()
      isOpen = true
    }
    return file
  }

  /// Throws if the file no longer has its name, so that commits are not allowed.
  package func refuseMoved() throws(SQLiteError) { if isDurable { try file().refuseMoved() } }

  /// Commits the written pages; a durable file keeps the number of the transaction.
  package func commit(_ transaction: Int64) throws(SQLiteError) {
    let file = try file()
    for table in tables { try table.store() }
    try index?.store()
    index = nil
    try file.commit(transaction, step: step)
  }

  package func end() {
    tables = []
    isOpen = false
    pages?.end()
  }

  /// Builds an index by its number among ``TableWriter/indexNames``, whose table's rows are
  /// committed; ``commit(_:)`` must follow.
  ///
  /// Returns `false` if SQLite must build it. Throws also if a key of a unique index is there
  /// twice.
  package func buildIndex(_ index: Int, of table: TableWriter) throws(SQLiteError) -> Bool {
    let definition = table.definition
    let build = IndexBuild(
      table: definition,
      index: definition.indexes[index],
      path: path,
      isStopped: isStopped
    )
    if let entries = table.entries {
      guard let gathered = try entries.take(index) else { return false }
      if try put(gathered, by: build) { return true }
      // The index of the source has other entries. Discard what was written since the last commit, and open the file again.
      pages?.end()
      isOpen = false
    }
    guard let read = entries(of: [definition.indexes[index]], definition),
      let sorted = try build.gather(read, from: try file())
    else { return false }
    return try put(sorted, by: build)
  }

  private func put(_ entries: EntrySorter, by build: IndexBuild) throws(SQLiteError) -> Bool {
    var values = ColumnValues(in: written.makeSet())
    index = try build.build(entries, in: try file(), values: &values)
    guard index != nil else { return false }
    written.keep(values, ofTable: build.table.name, column: build.firstColumn)
    return true
  }

  /// Gathers the entries of some of a table's indexes, beside those of the other tables whose rows are written; `nil` if
  /// there is no space for all of them.
  func entries(
    of indexes: [TableInfo.Index],
    _ table: TableInfo,
    copying sources: [SourceIndex?] = []
  ) -> IndexEntries? {
    let columns = indexes.reduce(0) { $0 + $1.columns.count }
    let memory = memory / max(tables.count, 1)
    guard columns <= IndexEntries.mostColumns,
      indexes.count <= max(memory / (2 * EntrySorter.leastMemory), 1)
    else { return nil }
    return IndexEntries(of: indexes, table, copying: sources, memory: memory, beside: path)
  }
}
