/// Walks the b-trees of a database without SQLite, and refuses a page that it has visited before.
///
/// SQLite follows a page every time it is referenced. Pages that share children take no space, but each
/// level of sharing multiplies the work: a walk that succeeds here takes time linear in the size of the
/// file. The same applies to overflow pages, which are not read but counted. Anything that SQLite itself
/// refuses is not followed.
///
/// The census holds one bit for every page of the file, one page for each level of a tree, and what is read
/// ahead.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
package struct PageCensus: ~Copyable {
  private let path: String
  private let pages: TreePages
  private let walk: TreeWalk
  private let isStopped: () -> Bool
  private let willRead: (Int64) -> Void
  /// What the tree that is walked belongs to, for errors.
  private var owner = ""
  /// The visited pages, one bit each.
  private var met: [UInt64]
  /// The number of pages left for overflow chains.
  private var pagesLeft: Int64
  private var pagesRead = 0
  private var contents: TableContents?
  /// The values of a record through the column that is counted.
  private var fields = RecordFields(first: 0)
  /// Called with a key of the table that is walked, through which its rows were read; `nil` for an index.
  private var didRead: ((Int64) -> Void)?
  /// The number of pages read when it was called last.
  private var pagesNoted = 0

  private static let pagesBetweenChecks = 256
  /// The bytes of pages between two reports on the reading of a table.
  private static let bytesBetweenNotes = 16 << 20

  /// `isStopped` is asked every few hundred pages; `willRead` gets the offset of every page before
  /// it is read.
  ///
  /// The census is `nil` if the file cannot be read.
  package init?(
    _ file: SourceFile,
    isStopped: @escaping () -> Bool = { false },
    willRead: @escaping (Int64) -> Void = { _ in }
  ) {
    guard let pages = try? TreePages(file) else { return nil }
    (self.pages, path) = (pages, file.path)
    walk = TreeWalk(pageSize: pages.pageSize)
    self.isStopped = isStopped
    self.willRead = willRead
    pagesLeft = pages.pageCount
    met = Array(repeating: 0, count: Int(pages.pageCount / 64) + 1)
  }

  package static func bytes(ofPages count: Int64, of pageSize: Int) -> Int64 {
    count / 8 + Int64(TreeWalk.depthLimit * pageSize + ReadAhead.size)
  }

  /// The owner names the tree in errors.
  package mutating func take(root: UInt32, of owner: String) throws(SQLiteError) {
    self.owner = owner
    do {
      try walk.walk(root) { number, _, buffer in
        try open(number, buffer)
      } key: { page, position in
        if page.kind.isOfTable {
          note(page.bytes, keyAt: position)
        } else {
          try addValue(of: page, at: position)
        }
      } tooDeep: {
        contents = nil
      }
    } catch {
      if let error = error as? SQLiteError { throw error }
      contents = nil
    }
  }

  /// The integers of a column are counted, from 0 as in the record.
  ///
  /// `didRead` is called after some mebibytes with a key through which the rows are read. Returns
  /// `nil` if anything in the table is irregular.
  package mutating func contents(
    ofTable root: UInt32,
    of owner: String,
    counting column: Int?,
    didRead: @escaping (Int64) -> Void = { _ in }
  ) throws(SQLiteError) -> TableContents? {
    contents = TableContents(counting: column)
    fields = RecordFields(first: column.map { $0 + 1 } ?? 0)
    (self.didRead, pagesNoted) = (didRead, pagesRead)
    defer { (contents, self.didRead) = (nil, nil) }
    try take(root: root, of: owner)
    return contents
  }

  /// Reads a page, and visits the cells of a leaf; `nil` for a leaf and for pages that are not
  /// followed.
  private mutating func open(
    _ number: UInt32,
    _ buffer: UnsafeMutableRawBufferPointer
  ) throws -> TreePage? {
    guard number >= 1, Int64(number) <= pages.pageCount else {
      contents = nil
      return nil
    }
    try meet(number)
    willRead(pages.offset(of: number))
    // Like SQLite, cells are looked for in the whole page.
    guard (try? pages.readAhead(number, into: buffer)) != nil,
      let page = try? TreePage(number, UnsafeRawBufferPointer(buffer), isMasked: true),
      page.cells <= (pages.pageSize - 8) / 6
    else {
      contents = nil
      return nil
    }
    if !page.kind.isOfTable { contents = nil }
    for cell in 0..<page.cells {
      let position = (try? page.offset(ofCell: cell)) ?? buffer.count
      if page.kind.isLeaf {
        note(buffer, at: position)
        try addValue(of: page, at: position)
      } else if position > buffer.count - 4 {
        throw damage(
          "page \(number) of \(self.owner) leads to a page by bytes that are not its own"
        )
      }
    }
    return page.kind.isLeaf ? nil : page
  }

  private mutating func note(_ page: UnsafeMutableRawBufferPointer, at position: Int) {
    guard contents != nil else { return }
    let usable = UnsafeRawBufferPointer(page.part(0..<pages.usableSize))
    do {
      try contents?.add(PageBytes(bytes: usable), at: position, pages.layout, fields)
    } catch {
      contents = nil
    }
  }

  /// Reports how far a table is read, when the child before a key is.
  private mutating func note(_ bytes: PageBytes, keyAt position: Int) {
    guard let didRead, (pagesRead - pagesNoted) * pages.pageSize >= Self.bytesBetweenNotes else {
      return
    }
    var offset = position
    guard let key = try? bytes.variable(at: &offset) else { return }
    pagesNoted = pagesRead
    didRead(Int64(bitPattern: key))
  }

  private mutating func meet(_ page: UInt32) throws(SQLiteError) {
    if pagesRead.isMultiple(of: Self.pagesBetweenChecks), isStopped() {
      throw SQLiteError(.interrupted, message: "interrupted", path: path)
    }
    pagesRead += 1
    let (word, bit) = (Int(page / 64), UInt64(1) << UInt64(page % 64))
    guard met[word] & bit == 0 else {
      throw damage("page \(page), to which \(owner) leads, is used elsewhere already")
    }
    met[word] |= bit
  }

  private mutating func addValue(of page: TreePage, at start: Int) throws(SQLiteError) {
    var offset = start
    guard let stated = try? page.bytes.variable(at: &offset) else { return }
    let count = Int(UInt32(truncatingIfNeeded: stated))
    let usable = pages.usableSize
    let rest = count - pages.layout.localSize(ofRecord: count, inTable: page.kind.isOfTable)
    guard rest > 0 else { return }
    pagesLeft -= Int64((rest + usable - 5) / (usable - 4))
    guard pagesLeft >= 0 else {
      throw damage("page \(page.number) of \(owner) begins more values than the file can hold")
    }
  }

  private func damage(_ what: String) -> SQLiteError {
    SQLiteError(.corrupt, message: "it is damaged: \(what)", path: path)
  }
}

/// The contents of a table's pages, as found by a walk through all of them.
package struct TableContents: Hashable, Sendable {
  package private(set) var rows: Int64 = 0
  /// In bytes.
  package private(set) var largestRecord = 0
  /// The rows by the integer in one column; `nil` where none was requested.
  package private(set) var rowsByNumber: [Int64: Int64]?

  /// The column whose numbers are counted, from 0 as in the record.
  private let column: Int?
  private static let numberLimit = 65_536

  init(counting column: Int?) {
    self.column = column
    rowsByNumber = column.map { _ in [:] }
  }

  /// Throws ``TreeDamage`` if the cell is irregular; the contents of the table are unknown then.
  mutating func add(
    _ bytes: PageBytes,
    at start: Int,
    _ layout: PageLayout,
    _ fields: borrowing RecordFields
  ) throws(TreeDamage) {
    var offset = start
    let stated = try bytes.variable(at: &offset)
    guard stated <= UInt64(Int32.max) else { throw TreeDamage() }
    let count = Int(stated)
    _ = try bytes.variable(at: &offset)
    rows += 1
    largestRecord = max(largestRecord, count)
    guard let column else { return }
    let local = layout.localSize(ofRecord: count, inTable: true)
    let record = try bytes.part(from: offset, count: local)
    let found = try fields.find(in: record)
    // Only the values behind it may be missing.
    guard found.count > column, found.end <= local,
      let number = fields.all[column].number(record)
    else { throw TreeDamage() }
    rowsByNumber?[number, default: 0] += 1
    guard rowsByNumber?.count ?? 0 <= Self.numberLimit else { throw TreeDamage() }
  }
}
