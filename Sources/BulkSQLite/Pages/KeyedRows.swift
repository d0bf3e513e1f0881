/// Finds rows of a table by their keys, and values in their records.
///
/// Where many keys are looked for, the rows are listed.
final class KeyedRows {
  /// The size of the largest record that is read, in bytes.
  private static let largestRecord = 1 << 16
  private let records: SourceRecords
  private let related: RecordProgram.Related
  private let columns: [Int]
  private var key: Int64?
  /// A copy of the record with the key; `nil` if there is none.
  private var record: UnsafeRawBufferPointer?
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var mayList = true
  /// The lists by column, or that of keys first; empty if there are none.
  private var lists: [ListedRows] = []
  private var indexes: [Int] = []

  /// `nil` if the file cannot be read.
  init?(_ related: RecordProgram.Related, columns: [Int]) {
    let (table, database) = (related.table, related.table.database)
    let cursor = TreeCursor(table.root, of: database.file, keepingPagesIn: database.kept.pages)
    let records = SourceRecords(
      cursor,
      columns: columns,
      where: related.conditions,
      largestRecord: Self.largestRecord
    )
    guard let records else { return nil }
    (self.records, self.related, self.columns) = (records, related, Set(columns).sorted())
  }

  deinit { buffer.deallocate() }

  /// Whether the bytes of its texts stay where they are.
  var isListed: Bool { !lists.isEmpty }

  /// The value of a column of the row with a key: NULL if there is none, `nil` if it needs SQL.
  ///
  /// The bytes of a text are valid until the next key, unless the rows are listed.
  @inline(__always)
  func value(
    of column: Int,
    as kind: RecordProgram.Kind,
    ofRow key: Int64
  ) -> RecordValue? {
    if !lists.isEmpty { return lists[indexes[column]].value(ofRow: key, as: kind) }
    guard let exists = find(key) else { return nil }
    guard exists, let record else { return .null }
    return records.value(of: column, as: kind, record)
  }

  /// `nil` if the record cannot be read.
  @inline(__always)
  func exists(_ key: Int64) -> Bool? {
    lists.isEmpty ? find(key) : lists[0].contains(key)
  }

  private func listIfWorthIt() {
    let (table, database) = (related.table, related.table.database)
    guard mayList, database.kept.count(table.root, pagesOfFile: records.cursor.pagesOfFile) else {
      return
    }
    mayList = false
    let listed: [Int?] = columns.isEmpty ? [nil] : columns
    let found = listed.compactMap { column in
      database.kept.list(
        ListedRows.Contents(root: table.root, conditions: related.conditions, column: column),
        of: database.file,
        largestRecord: Self.largestRecord
      )
    }
    guard found.count == listed.count else { return }
    indexes = Array(repeating: 0, count: (columns.last ?? 0) + 1)
    for (index, column) in columns.enumerated() { indexes[column] = index }
    lists = found
  }

  /// Whether there is a row with a key, whose record is kept; `nil` if it cannot be read.
  private func find(_ key: Int64) -> Bool? {
    if self.key != key {
      self.key = nil
      guard (try? seek(key)) == true else { return nil }
      self.key = key
      listIfWorthIt()
    }
    return record != nil
  }

  /// Looks for a row, and returns whether its record, if there is one, can be read.
  private func seek(_ key: Int64) throws(TreeDamage) -> Bool {
    record = nil
    try records.cursor.seek(key)
    guard let row = try records.cursor.next(), row.key == key else { return true }
    guard let bytes = try records.record(of: row), let isTaken = try records.open(key, bytes) else {
      return false
    }
    if isTaken { record = copy(bytes) }
    return true
  }

  /// A copy of a record, since other pages may take the place of its own.
  private func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if buffer.count < bytes.count {
      buffer.deallocate()
      buffer = .allocate(byteCount: max(bytes.count, 512), alignment: 16)
    }
    let target = buffer.part(0..<bytes.count)
    target.copyMemory(from: bytes)
    return UnsafeRawBufferPointer(target)
  }
}

/// What is kept of a file in which rows are looked for by their keys; the file does not change.
package final class LookupCache {
  let pages: PageCache
  /// The lists; `nil` for those that do not fit.
  private var lists: [ListedRows.Contents: ListedRows?] = [:]
  private let listBytes: Int
  /// The lookups in tables that are not listed, by root.
  private var lookups: [UInt32: Int64] = [:]
  /// The least lookups before rows are listed; a list of a large file is worth it later.
  private static let leastLookups: Int64 = 256
  /// The pages of a file that a list reads in the time of one lookup.
  private static let pagesPerLookup: Int64 = 16

  /// A cache of some bytes, a quarter of them for pages, which are allocated when they are needed.
  package init(bytes: Int) {
    pages = PageCache(size: bytes / 4)
    listBytes = bytes - bytes / 4
  }

  /// Returns whether the rows of the table are worth a list.
  func count(_ root: UInt32, pagesOfFile pages: Int64) -> Bool {
    let count = lookups[root, default: 0] + 1
    lookups[root] = count
    return count > max(Self.leastLookups, pages / Self.pagesPerLookup)
  }

  /// A list, which is made if it is not known; `nil` if it does not fit, or a row cannot be read.
  func list(_ contents: ListedRows.Contents, of file: SourceFile, largestRecord: Int) -> ListedRows?
  {
    if let known = lists[contents] { return known }
    let records = SourceRecords(
      TreeCursor(contents.root, of: file),
      columns: contents.column.map { [$0] } ?? [],
      where: contents.conditions,
      largestRecord: largestRecord
    )
    let made = records.flatMap { ListedRows(contents, $0, within: freeBytes()) }
    lists[contents] = .some(made)
    return made
  }

  /// The bytes for another list; lists that nobody uses give way if most of the memory is taken.
  private func freeBytes() -> Int {
    func left() -> Int { listBytes - lists.values.reduce(0) { $0 + ($1?.bytes ?? 0) } }
    if left() < listBytes / 2 {
      for contents in Array(lists.keys) {
        var list = lists.removeValue(forKey: contents) ?? nil
        if list == nil || !isKnownUniquelyReferenced(&list) { lists[contents] = .some(list) }
      }
    }
    return left()
  }
}
