internal import BulkSupport
internal import BulkSQLite

/// A page of a table, with all that is below it, that cannot be read.
package struct LostPage: Codable, Hashable, Sendable {
  package let table: String
  package let page: UInt32
  /// The least key that its rows may have; absent on the first page of the table.
  package let firstKey: Int64?
  /// The greatest key that its rows may have; absent on the last page of the table.
  package let lastKey: Int64?
  /// The number of its rows, as an index holds them; without one the number of keys from 1 to the highest that was ever
  /// given, and of rows that fit the file.
  package let rows: Int64
  /// True where there may be fewer rows; absent where they are counted.
  package let isUpperBound: Bool?
}

extension LostPage: CustomStringConvertible {
  package var description: String {
    let keys =
      switch (firstKey, lastKey) {
      case (let first?, let last?): "keys \(first) to \(last)"
      case (let first?, nil): "keys from \(first) on"
      case (nil, let last?): "keys up to \(last)"
      case (nil, nil): "all keys"
      }
    return "page \(page) of table \(table), with the rows of \(keys)"
  }
}

package enum SalvageStage: String, Sendable {
  case copying = "copying the store"
  case searching = "looking for damaged pages"
  case rebuilding = "rebuilding the copy"
}

extension PersistentStore {
  /// The pages that cannot be read of tables with row ids, by table and key.
  ///
  /// `isStopped` is asked every few milliseconds; a stop is an error.
  func lostPages(
    removingFrom copy: String? = nil,
    isStopped: (() -> Bool)? = nil
  ) throws(StoreError) -> [LostPage] {
    var lost: [LostPage] = []
    for table in schema.tables where table.hasRowID {
      let pages = try TableSalvage.pages(
        of: table.name,
        in: file,
        removingFrom: copy,
        isStopped: isStopped
      )
      guard let pages else {
        let reason =
          "so much of table \(table.name) is damaged that its other pages cannot be found"
        throw StoreError(.corrupt, message: reason, path: path)
      }
      for page in pages { lost.append(try lostPage(page, of: table)) }
    }
    return lost
  }

  private func lostPage(_ page: UnreadablePage, of table: FileTable) throws(StoreError) -> LostPage
  {
    let keys = page.keys
    let counted = try entries(with: keys, of: table.name)
    let rows =
      if let counted { counted } else {
        try mostRows(with: keys, isOfEntities: table.column(named: "Z_ENT") != nil)
      }
    return LostPage(
      table: table.name,
      page: page.number,
      firstKey: keys.lowerBound == .min ? nil : keys.lowerBound,
      lastKey: keys.upperBound == .max ? nil : keys.upperBound,
      rows: rows,
      isUpperBound: counted == nil ? true : nil
    )
  }

  /// The entries with keys in a range of an index that has one for every row and computes nothing.
  private func entries(
    with keys: ClosedRange<Int64>,
    of table: String
  ) throws(StoreError) -> Int64? {
    let indexes = try connection.prepare(
      "SELECT name FROM pragma_index_list(\(SQLText.quoted(literal: table))) AS l WHERE NOT partial "
        + "AND NOT EXISTS (SELECT 1 FROM pragma_index_info(l.name) WHERE cid < -1)"
    )
    while try indexes.step() {
      let rows = "\(SQLText.quoted(table)) INDEXED BY \(SQLText.quoted(indexes.text(at: 0)))"
      let range = "rowid BETWEEN \(keys.lowerBound) AND \(keys.upperBound)"
      // The index may be corrupt, too.
      if let count = try? connection.integer("SELECT count(*) FROM \(rows) WHERE \(range)") {
        return count
      }
    }
    return nil
  }

  private func mostRows(
    with keys: ClosedRange<Int64>,
    isOfEntities: Bool
  ) throws(StoreError) -> Int64 {
    let first = keys.lowerBound == .min ? min(1, keys.upperBound) : keys.lowerBound
    let highest = isOfEntities ? "iif(highest < \(first), NULL, highest)" : "NULL"
    let last = "ifnull(min(\(keys.upperBound), \(highest)), \(keys.upperBound))"
    // A row takes six bytes at least: four of its own, and two for its offset.
    return try connection.integer(
      "SELECT CAST(min(1.0 + \(last) - (\(first)), page_count * page_size / 6) AS INTEGER) FROM pragma_page_count, "
        + "pragma_page_size, (SELECT max(Z_MAX) AS highest FROM Z_PRIMARYKEY)"
    ) ?? 0
  }

  /// Writes a copy without the pages that cannot be read into an empty file; it is not synced.
  ///
  /// Its metadata count the rows that are lost. SQLite has rewritten and checked it.
  ///
  /// `watch` is called every few milliseconds and returns whether to stop; a stop is an error.
  package func salvage(
    to copy: String,
    watch: @escaping (SalvageStage) -> Bool = { _ in false }
  ) throws(StoreError) -> [LostPage] {
    func begin(_ stage: SalvageStage) throws(StoreError) {
      if watch(stage) { throw .stopped(path: copy) }
    }
    do throws(StoreError) {
      try begin(.copying)
      try self.copy(to: copy) { watch(.copying) }
      try begin(.searching)
      let lost = try lostPages(removingFrom: copy) { watch(.searching) }
      try begin(.rebuilding)
      try PersistentStore(path: copy).refuseSharedPages()
      let connection = try Connection(path: copy, access: .readWrite)
      connection.watch { watch(.rebuilding) }
      try connection.fireNoTriggers()
      try connection.execute("PRAGMA main.journal_mode = OFF")
      try connection.execute("PRAGMA main.synchronous = OFF")
      for table in Set(lost.map(\.table)).sorted() {
        try connection.execute("REINDEX main.\(SQLText.quoted(table))")
      }
      let update = try connection.prepare("UPDATE main.Z_METADATA SET Z_PLIST = ?1")
      try update.bind(.blob(metadata.counting(lost).propertyListBytes), at: 1)
      try update.run()
      try connection.execute("VACUUM")
      let check = try connection.value("PRAGMA main.integrity_check(1)")
      if case .text(let fault) = check, fault != "ok" {
        throw StoreError(.corrupt, message: "its readable pages do not fit: \(fault)", path: path)
      }
      return lost
    } catch {
      throw error.of(path, insteadOf: copy)
    }
  }

  /// The pages of a store that explain an error, with what can be done about them; `nil` if there are none.
  package static func damage(of path: String, explaining error: StoreError) -> String? {
    guard error.result == .corrupt, error.subject == .file,
      let lost = try? PersistentStore(path: path).lostPages(), let first = lost.first
    else { return nil }
    let others = lost.count > 1 ? ", and \(lost.count - 1) more" : ""
    return
      "\(first)\(others) cannot be read; bulkmigrate salvage STORE -o COPY makes a copy without them"
  }
}

extension StoreMetadata {
  private static let salvageKey = "BulkMigrateSalvage"

  fileprivate func counting(_ lost: [LostPage]) -> StoreMetadata {
    guard !lost.isEmpty else { return self }
    let former = entries[Self.salvageKey]?.dictionary
    var rows = former?["rows"]?.dictionary ?? [:]
    for page in lost {
      let sum = (rows[page.table]?.integer ?? 0).addingReportingOverflow(page.rows).partialValue
      rows[page.table] = .integer(sum)
    }
    let isUpperBound =
      former?["isUpperBound"]?.boolean == true || lost.contains { $0.isUpperBound == true }
    var result = self
    result.entries[Self.salvageKey] = .dictionary([
      "rows": .dictionary(rows), "isUpperBound": .boolean(isUpperBound),
    ])
    return result
  }

  /// The rows that were lost when the store was salvaged, as a sentence; `nil` if it was not.
  package var salvage: String? {
    guard let entry = entries[Self.salvageKey]?.dictionary else { return nil }
    let most = entry["isUpperBound"]?.boolean == true ? "at most " : ""
    let rows = (entry["rows"]?.dictionary ?? [:]).sorted { $0.key < $1.key }
      .map { "\(most)\($1.integer ?? 0) of \($0)" }
    return "the store was salvaged from one with damaged pages; rows lost: "
      + rows.joined(separator: ", ")
  }
}
