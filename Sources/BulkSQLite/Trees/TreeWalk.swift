/// Walks all cells of a table or an index, page by page.
///
/// It reads what SQLite would read, several times as fast, and is stricter: anything unusual counts as
/// corruption.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
struct TreeWalk: ~Copyable {
  private let pages: TreePages
  private let records: RecordReader
  private let isTable: Bool
  private let isStopped: () -> Bool
  private let buffers: UnsafeMutableRawBufferPointer
  private var lastKey: Int64?
  private var entriesLeft: Int64
  private var pagesRead = 0

  /// The deepest tree that SQLite allows.
  private static let depthLimit = 20
  private static let pagesBetweenQuestions = 256

  /// - Parameters:
  ///   - pages: The pages of the database.
  ///   - records: The reader of the records.
  ///   - isTable: Whether the tree is a table's, whose keys must ascend.
  ///   - entryLimit: The most cells with records that there may be.
  ///   - isStopped: Called every few hundred pages; returns whether to stop.
  init(
    _ pages: TreePages,
    _ records: consuming RecordReader,
    isTable: Bool,
    entryLimit: Int64,
    isStopped: @escaping () -> Bool
  ) {
    self.pages = pages
    self.records = records
    self.isTable = isTable
    self.isStopped = isStopped
    entriesLeft = entryLimit
    buffers = .allocate(byteCount: Self.depthLimit * pages.pageSize, alignment: 16)
  }

  deinit { buffers.deallocate() }

  /// Walks the tree with a root page.
  ///
  /// - Throws: ``TreeDamage`` if something is invalid or the walk was stopped.
  mutating func run(root: UInt32) throws(TreeDamage) { try visit(root, depth: 0) }

  /// The sums of the records.
  var sums: [RowSum] { records.sums }

  private mutating func visit(_ page: UInt32, depth: Int) throws(TreeDamage) {
    guard depth < Self.depthLimit else { throw TreeDamage() }
    pagesRead += 1
    if pagesRead.isMultiple(of: Self.pagesBetweenQuestions), isStopped() { throw TreeDamage() }
    let start = depth * pages.pageSize
    let buffer = UnsafeMutableRawBufferPointer(rebasing: buffers[start..<(start + pages.pageSize)])
    try pages.read(page, into: buffer)
    let bytes = PageBytes(
      bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<pages.usableSize])
    )
    switch (try bytes.byte(at: 0), isTable) {
    case (13, true), (10, false): try visitLeaf(bytes, isRoot: depth == 0)
    case (5, true), (2, false): try visitInterior(bytes, depth: depth)
    default: throw TreeDamage()
    }
  }

  private mutating func visitLeaf(_ bytes: PageBytes, isRoot: Bool) throws(TreeDamage) {
    let cells = try bytes.number16(at: 3)
    // Without this check, pages without cells could form an endless loop.
    guard cells > 0 || isRoot else { throw TreeDamage() }
    for cell in 0..<cells { try readCell(bytes, at: try bytes.number16(at: 8 + 2 * cell)) }
  }

  private mutating func visitInterior(_ bytes: PageBytes, depth: Int) throws(TreeDamage) {
    let cells = try bytes.number16(at: 3)
    for cell in 0..<cells {
      var offset = try bytes.number16(at: 12 + 2 * cell)
      try visit(try bytes.number32(at: offset), depth: depth + 1)
      offset += 4
      if isTable {
        let bound = Int64(bitPattern: try bytes.variable(at: &offset))
        if let lastKey, lastKey > bound { throw TreeDamage() }
        lastKey = bound
      } else {
        try readCell(bytes, at: offset)
      }
    }
    try visit(try bytes.number32(at: 8), depth: depth + 1)
  }

  /// Reads a cell with a record.
  private mutating func readCell(_ bytes: PageBytes, at start: Int) throws(TreeDamage) {
    guard entriesLeft > 0 else { throw TreeDamage() }
    entriesLeft -= 1
    var offset = start
    let count = try bytes.variable(at: &offset)
    guard count <= UInt64(Int32.max) else { throw TreeDamage() }
    var key: Int64?
    if isTable {
      let found = Int64(bitPattern: try bytes.variable(at: &offset))
      if let lastKey, found <= lastKey { throw TreeDamage() }
      lastKey = found
      key = found
    }
    try records.read(payload(bytes, at: offset, count: Int(count)), key: key)
  }

  /// The record of a cell; its length alone determines how much of it is in the cell.
  private func payload(
    _ bytes: PageBytes,
    at offset: Int,
    count: Int
  ) throws(TreeDamage) -> Payload {
    let usable = pages.usableSize
    let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard count > most else {
      let local = PageBytes(bytes: try bytes.part(from: offset, count: count))
      return Payload(local: local, count: count, firstPage: 0)
    }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (count - least) % (usable - 4)
    let size = fitting <= most ? fitting : least
    return Payload(
      local: PageBytes(bytes: try bytes.part(from: offset, count: size)),
      count: count,
      firstPage: try bytes.number32(at: offset + size)
    )
  }
}
