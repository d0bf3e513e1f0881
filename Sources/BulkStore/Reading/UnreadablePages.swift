internal import BulkSQLite
internal import BulkPlatform

/// Pages of tables of entities and of pairs that cannot be read, and rows of no entity, which a store opened with them
/// skips.
///
/// A copy of the store without them is read in its place, or one with corrected values. Links to their rows are dangling.
package struct UnreadablePages: Sendable {
  /// A page of a table, with all that is below it.
  package struct Page: Hashable, Sendable {
    package let table: String
    package let number: UInt32
    /// The keys that its rows may have: from `.min` on the first page of a table, up to `.max` on the last.
    package let keys: ClosedRange<Int64>
    /// How many rows were on it.
    package var rows = UnreadableRows()

    package init(table: String, number: UInt32, keys: ClosedRange<Int64>) {
      (self.table, self.number, self.keys) = (table, number, keys)
    }
  }

  package let pages: [Page]
  package let strays: [StrayRows]
  /// A digest of the values that the copy has in place of the store's; `nil` where none were corrected.
  package let corrections: String?
  /// The file of the store, in whose place the copy is read.
  let file: SourceFile

  /// The pages of the tables of entities and of pairs of a store that cannot be read.
  ///
  /// The contents of other tables are unknown, so they cannot be read without some pages.
  ///
  /// - Returns: The pages by table and key; `nil` if there are none, or if a table cannot be read without some.
  /// - Throws: ``StoreError`` if the store cannot be opened.
  package static func search(in path: String) throws(StoreError) -> [Page]? {
    let store = try PersistentStore(path: path)
    var pages: [Page] = []
    for table in store.schema.tables where isOfEntities(table) || isOfPairs(table) {
      let leaves = try LeafSearch.leaves(of: table.name, path: path)
      guard let leaves else { return nil }
      let counter = try RowCounter(store, of: table)
      for leaf in leaves {
        var page = Page(table: table.name, number: leaf.page, keys: leaf.keys)
        page.rows = try counter.rows(with: leaf.keys)
        pages.append(page)
      }
    }
    return pages.isEmpty ? nil : pages
  }

  private static func isOfEntities(_ table: FileTable) -> Bool {
    ["Z_PK", "Z_ENT", "Z_OPT"].allSatisfy { table.column(named: $0) != nil }
  }

  /// Whether a table holds the pairs of a many-to-many relationship: two columns of keys, and perhaps of places.
  private static func isOfPairs(_ table: FileTable) -> Bool {
    table.hasRowID && table.primaryKey.count == 2
      && (table.columns.map(\.name) + [table.name]).allSatisfy { $0.hasPrefix("Z_") }
      && table.columns.allSatisfy { $0.declaredType.uppercased() == "INTEGER" }
  }

  /// Skips pages and rows of a store, at least one.
  ///
  /// The copy takes as much room in the folder as the store, as long as a reader has it open; it has no name.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read, or the copy cannot be made.
  package init(
    _ pages: [Page],
    _ strays: [StrayRows] = [],
    of path: String,
    copyingTo folder: String
  ) throws(StoreError) {
    let copy = "\(folder)/bulkmigrate-readable-\(SystemHost.current.identifier())"
    (self.pages, self.strays, corrections) = (pages, strays, nil)
    do {
      try Self.make(copy, of: path, without: pages, strays)
      file = try SourceFile(path: path, reading: copy)
    } catch {
      try? FileManager.default.removeItem(atPath: copy)
      // What is damaged in the copy is damaged in the store.
      guard error.path == copy, error.result == .corrupt else { throw error }
      throw StoreError(code: error.code, message: error.message, path: path)
    }
  }

  /// Reads a copy with corrected values in place of a store, without some rows; the name of the copy is removed.
  ///
  /// - Throws: ``StoreError`` if the copy cannot be read or changed.
  package init(
    of path: String,
    without strays: [StrayRows],
    reading copy: String,
    corrections: String
  ) throws(StoreError) {
    (pages, self.strays, self.corrections) = ([], strays, corrections)
    try Self.remove(strays, from: copy)
    file = try SourceFile(path: path, reading: copy)
  }

  private static func make(
    _ copy: String,
    of path: String,
    without pages: [Page],
    _ strays: [StrayRows]
  ) throws(StoreError) {
    guard FileManager.default.createFile(atPath: copy, contents: nil) else {
      throw StoreError(.cannotOpen, message: "it cannot be made", path: copy)
    }
    try PersistentStore(path: path).copy(to: copy) { false }
    for (table, pages) in Dictionary(grouping: pages, by: \.table).sorted(by: { $0.key < $1.key }) {
      try LeafRemoval.remove(
        pages.map { UnreadableSubtree(page: $0.number, keys: $0.keys) },
        from: table,
        in: copy
      )
    }
    try remove(strays, from: copy)
  }

  private static func remove(_ strays: [StrayRows], from copy: String) throws(StoreError) {
    guard !strays.isEmpty else { return }
    let connection = try Connection(path: copy, access: .readWrite)
    try connection.fireNoTriggers()
    try connection.execute("PRAGMA main.journal_mode = OFF")
    try connection.execute("PRAGMA main.synchronous = OFF")
    for rows in strays { try rows.remove(from: connection) }
  }
}
