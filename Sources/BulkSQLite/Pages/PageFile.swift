internal import BulkSupport

/// A database file to which pages are appended past SQLite, until they are committed.
///
/// Pages are allocated one after another from the end of the file on. Those that were there before may be
/// overwritten too: they are held until the commit, whose journal keeps them as they were. So a process that
/// ends at any time leaves the file as of the last commit, possibly with pages after its end.
///
/// SQLite must not write the file between two commits. It may do so after a commit, see ``begin()``.
final class PageFile {
  let layout: PageLayout
  /// The number of pages, with those allocated since the last commit.
  private(set) var count: UInt32 = 0
  private let pages: DatabasePages
  /// Whether commits survive the end of the process.
  private let isDurable: Bool
  private var committed: UInt32 = 0
  private var changed: [UInt32: [UInt8]] = [:]
  private var extent: PageExtent
  /// The thread that writes full extents at once, if there is one.
  private var behind: WriteBehind?
  private let writesBehind: Bool
  private var spares: [[UInt8]] = []
  /// The page of the pointer map that has the entries of the last pages.
  private var map: (number: UInt32, bytes: [UInt8])?

  /// A table exists in the file.
  init(_ connection: Connection, isDurable: Bool, writesBehind: Bool) throws(SQLiteError) {
    self.writesBehind = writesBehind
    pages = try DatabasePages(of: connection)
    self.isDurable = isDurable
    layout = try Self.layout(of: pages)
    extent = PageExtent(layout)
  }

  /// Leaves the file to SQLite, after a commit.
  ///
  /// To close the file releases the locks of this process; SQLite has none between transactions.
  func end() {
    behind = nil
    spares = []
  }

  private static func layout(of pages: DatabasePages) throws(SQLiteError) -> PageLayout {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: PageLayout.headerSize,
      alignment: 8
    )
    defer { buffer.deallocate() }
    try pages.read(into: buffer, at: 0)
    guard let layout = PageLayout(header: UnsafeRawBufferPointer(buffer)) else {
      throw SQLiteError(.notADatabase, message: "its header is invalid", path: pages.path)
    }
    return layout
  }

  /// Takes the file up as SQLite left it after the last commit.
  func begin() throws(SQLiteError) {
    let first = try stored(1)
    committed = first.bigEndian32(at: 28)
    count = committed
    changed = [:]
    let size = Int64(committed) * Int64(layout.pageSize)
    // An earlier process may have left pages that it did not commit.
    if try pages.size() > size { try pages.truncate(to: size) }
    extent.begin(at: committed + 1)
    map = nil
    let last = layout.map(of: max(committed, 3))
    if layout.hasPointerMap, committed >= 2, last <= committed {
      map = (last, try stored(last))
    }
  }

  func allocate() throws(SQLiteError) -> UInt32 {
    guard count < UInt32.max - 3 else {
      throw SQLiteError(.full, message: "it cannot have more pages", path: pages.path)
    }
    count += 1
    while true {
      if layout.isMap(count) {
        try storeMap()
        map = (count, [UInt8](repeating: 0, count: layout.pageSize))
      } else if count != layout.lockBytePage {
        return count
      }
      count += 1
    }
  }

  func write(
    _ bytes: UnsafeRawBufferPointer,
    to page: UInt32,
    holding content: PageContent
  ) throws(SQLiteError) {
    // SQLite takes pages from 1 to the number in the header, which is the count at the commit.
    precondition(
      page >= 1 && page <= count && bytes.count == layout.pageSize,
      "only whole pages of the file are written"
    )
    assert(
      WrittenPage(number: page, bytes: bytes, count: count, layout: layout).holds(content),
      "page \(page) is well-formed"
    )
    if page <= committed {
      changed[page] = [UInt8](bytes)
      return
    }
    if let position = extent.slot(of: page) { return extent.put(bytes, at: position) }
    if page < extent.first { return try rewrite(bytes, to: page) }
    try flush(startsThread: true)
    extent.begin(at: page)
    extent.put(bytes, at: 0)
  }

  func read(_ page: UInt32) throws(SQLiteError) -> [UInt8] {
    if let bytes = changed[page] { return bytes }
    if let position = extent.slot(of: page), page > committed {
      return [UInt8](unsafeUninitializedCapacity: layout.pageSize) { buffer, count in
        extent.copy(position, to: UnsafeMutableRawBufferPointer(buffer))
        count = layout.pageSize
      }
    }
    if page > committed { try drain() }
    return try stored(page)
  }

  /// As of the last commit.
  func read(_ page: UInt32, into buffer: UnsafeMutableRawBufferPointer) throws(SQLiteError) {
    try pages.read(into: buffer, at: offset(of: page))
  }

  private func stored(_ page: UInt32) throws(SQLiteError) -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: layout.pageSize) { buffer, count throws(SQLiteError) in
      try read(page, into: UnsafeMutableRawBufferPointer(buffer))
      count = layout.pageSize
    }
  }

  private func offset(of page: UInt32) -> Int64 { Int64(page - 1) * Int64(layout.pageSize) }

  /// Writes a page that was left out when its extent was written.
  private func rewrite(
    _ bytes: UnsafeRawBufferPointer,
    to page: UInt32
  ) throws(SQLiteError) {
    let offset = offset(of: page)
    guard let behind else { return try pages.write(bytes, of: layout.pageSize, at: offset) }
    behind.put(WriteBehind.Part(offset: offset, bytes: [UInt8](bytes), count: bytes.count))
  }

  private func flush(startsThread: Bool) throws(SQLiteError) {
    let (pages, layout, offset) = (pages, layout, offset(of: extent.first))
    if extent.used > 0 {
      WorkTrace.pages(from: extent.first, count: extent.used, in: pages.path)
    }
    if behind == nil, startsThread, writesBehind { behind = try startBehind() }
    guard let behind else {
      return try extent.withContent { bytes throws(SQLiteError) in
        try pages.write(bytes, of: layout.pageSize, at: offset)
      }
    }
    try record(try behind.written())
    let size = extent.byteCount
    let bytes = extent.take(replacedBy: spares.popLast())
    behind.put(WriteBehind.Part(offset: offset, bytes: bytes, count: size))
  }

  private func startBehind() throws(SQLiteError) -> WriteBehind? {
    guard let behind = WriteBehind(pages.path, layout, isRecorded: pages.isRecorded) else {
      return nil
    }
    // A process that has taken over the name may have another file under it.
    try pages.refuseMoved()
    return behind.isNamed ? behind : nil
  }

  private func drain() throws(SQLiteError) {
    if let behind { try record(try behind.drain()) }
  }

  private func record(_ parts: [WriteBehind.Part]) throws(SQLiteError) {
    for part in parts {
      try pages.record(part, of: layout.pageSize)
      if part.bytes.count == PageExtent.size, spares.isEmpty { spares.append(part.bytes) }
    }
  }

  /// Does nothing without a pointer map.
  func setPointer(of page: UInt32, _ use: PageUse, _ parent: UInt32) throws(SQLiteError) {
    guard layout.hasPointerMap else { return }
    // As ptrmapPut() of SQLite: the root pages come first, and neither the map nor the page of locks has an entry.
    assert(
      page > 2 && !layout.isMap(page) && page != layout.lockBytePage,
      "page \(page) has an entry"
    )
    let number = layout.map(of: page)
    let position = layout.offsetInMap(of: page)
    if map?.number == number {
      map?.bytes.setEntry(use, parent, at: position)
    } else {
      var bytes = try read(number)
      bytes.setEntry(use, parent, at: position)
      try write(bytes, to: number)
    }
  }

  /// Whether the pages from one on have entries in the pointer map, as far as its last page has them.
  private func isMapped(from first: UInt32) -> Bool {
    guard let map, count >= max(first, map.number + 1) else { return true }
    return (max(first, map.number + 1)...count).allSatisfy {
      $0 == layout.lockBytePage || map.bytes[layout.offsetInMap(of: $0)] != 0
    }
  }

  private func storeMap() throws(SQLiteError) {
    if let map { try write(map.bytes, to: map.number) }
  }

  private func write(_ bytes: [UInt8], to page: UInt32) throws(SQLiteError) {
    try bytes.span.bytes.withUnsafeBytes { bytes throws(SQLiteError) in
      try write(bytes, to: page, holding: .other)
    }
  }

  func refuseMoved() throws(SQLiteError) { try pages.refuseMoved() }

  /// Commits all written pages; the next pages may follow without ``begin()``.
  ///
  /// A durable file keeps the number of the transaction as its user version. The step is called
  /// when the journal is on disk, and when the pages are. After an error nothing is committed.
  func commit(_ transaction: Int64, step: () -> Void) throws(SQLiteError) {
    assert(isMapped(from: committed + 1), "every page has an entry in the pointer map")
    try storeMap()
    var first = try read(1)
    let change = first.bigEndian32(at: 24) &+ 1
    first.set(change, at: 24)
    first.set(count, at: 28)
    if isDurable { first.set(UInt32(truncatingIfNeeded: transaction), at: 60) }
    // The version for which the number of pages is valid.
    first.set(change, at: 92)
    changed[1] = first
    try flush(startsThread: false)
    try drain()
    let journal = CommitJournal(of: pages.path)
    if isDurable {
      let originals = try changed.keys.sorted().map { number throws(SQLiteError) in
        (number: number, bytes: try stored(number))
      }
      try journal.write(originals, keeping: committed, of: layout.pageSize)
      step()
    }
    for (number, bytes) in changed.sorted(by: { $0.key < $1.key }) {
      try bytes.span.bytes.withUnsafeBytes { bytes throws(SQLiteError) in
        try pages.write(bytes, of: layout.pageSize, at: offset(of: number))
      }
    }
    if isDurable {
      try pages.synchronize()
      step()
      try journal.clear()
    }
    committed = count
    changed = [:]
    extent.begin(at: count + 1)
  }
}

extension [UInt8] {
  fileprivate mutating func setEntry(_ use: PageUse, _ parent: UInt32, at position: Int) {
    self[position] = use.rawValue
    set(parent, at: position + 1)
  }

  fileprivate mutating func set(_ number: UInt32, at position: Int) {
    for index in 0..<4 {
      self[position + index] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * index))
    }
  }
}
