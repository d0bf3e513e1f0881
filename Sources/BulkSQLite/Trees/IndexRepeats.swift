internal import CBulkSQLite

/// Finds the entries of an index that repeat the values of another one before them, without SQLite.
///
/// Entries with equal values follow one another, in the order of their row ids. Anything unusual ends the reading; the
/// caller continues with SQLite, which handles it.
///
/// Source: “B-tree Pages” and “Record Format”, sections 1.6 and 2.1 of SQLite's file format document.
package final class IndexRepeats {
  private let pages: TreePages
  private let ahead: ReadAhead
  /// The number of columns before the row id.
  private let columns: Int
  private let limit: Int
  private let isStopped: () -> Bool
  private var found: [Int64] = []
  /// The types and the values of the entry before, as the record has them.
  private var former: (header: [UInt8], body: [UInt8]) = ([], [])
  private var pagesRead = 0

  private static let depthLimit = 20
  private static let pagesBetweenChecks = 256

  private init(
    _ pages: TreePages,
    columns: Int,
    limit: Int,
    isStopped: @escaping () -> Bool
  ) {
    (self.pages, self.columns, self.limit) = (pages, columns, limit)
    self.isStopped = isStopped
    ahead = pages.readAhead()
  }

  /// The row ids of the entries that repeat another one, in the order of the index; entries with NULL repeat nothing.
  ///
  /// - Parameters:
  ///   - index: The name of the index, all of whose changes are committed.
  ///   - columns: The number of its columns.
  ///   - connection: A connection of the file.
  ///   - limit: The most row ids to return.
  ///   - isStopped: Called every few hundred pages; returns whether to give up.
  /// - Returns: The row ids; `nil` if there are more, if there is no such index, or if only SQLite can tell.
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  package static func rows(
    in index: String,
    columns: Int,
    _ connection: Connection,
    limit: Int,
    isStopped: @escaping () -> Bool
  ) throws(SQLiteError) -> [Int64]? {
    let root = try connection.value(
      "SELECT rootpage FROM main.sqlite_schema WHERE type = 'index' "
        + "AND name = \(SQLText.quoted(literal: index))"
    )
    guard case .integer(let number) = root, let page = UInt32(exactly: number),
      let pages = try? TreePages(path: connection.path)
    else { return nil }
    let search = IndexRepeats(pages, columns: columns, limit: limit, isStopped: isStopped)
    do {
      try search.visit(page, depth: 0)
      return search.found
    } catch {
      return nil
    }
  }

  private func visit(_ page: UInt32, depth: Int) throws {
    guard depth < Self.depthLimit, page > 1, Int64(page) <= pages.pageCount else {
      throw TreeDamage()
    }
    pagesRead += 1
    if pagesRead.isMultiple(of: Self.pagesBetweenChecks), isStopped() { throw TreeDamage() }
    // More pages than the file has would be an endless loop.
    guard Int64(pagesRead) <= pages.pageCount else { throw TreeDamage() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pages.pageSize, alignment: 16)
    defer { buffer.deallocate() }
    guard
      ahead.read(into: buffer, at: Int64(page - 1) * Int64(pages.pageSize)) == buffer.count
    else { throw TreeDamage() }
    let all = UnsafeRawBufferPointer(buffer)
    let bytes = PageBytes(bytes: UnsafeRawBufferPointer(rebasing: all[..<pages.usableSize]))
    let kind = TreePageKind(rawValue: bytes.bytes[0])
    guard kind == .indexLeaf || kind == .indexInterior else { throw TreeDamage() }
    let cells = try bytes.number16(at: 3)
    for cell in 0..<cells {
      if kind == .indexLeaf {
        try read(bytes, at: try bytes.number16(at: 8 + 2 * cell))
      } else {
        let place = try bytes.number16(at: 12 + 2 * cell)
        try visit(try bytes.number32(at: place), depth: depth + 1)
        try read(bytes, at: place + 4)
      }
    }
    if kind == .indexInterior { try visit(try bytes.number32(at: 8), depth: depth + 1) }
  }

  /// Reads an entry, and compares its values with those of the one before.
  private func read(_ bytes: PageBytes, at place: Int) throws {
    var offset = place
    let count = try bytes.variable(at: &offset)
    guard count <= UInt64(pages.usableSize),
      pages.layout.localSize(ofRecord: Int(count), inTable: false) == Int(count)
    else { throw TreeDamage() }
    let record = try bytes.part(from: offset, count: Int(count))
    let entry = PageBytes(bytes: record)
    var next = 0
    let header = try entry.variable(at: &next)
    guard header <= count else { throw TreeDamage() }
    let (types, body) = (next, Int(header))
    var end = body
    var hasNull = false
    for _ in 0..<columns {
      guard next < body, let type = SerialType(try entry.variable(at: &next)) else {
        throw TreeDamage()
      }
      switch type.storageClass {
      case .null: hasNull = true
      // The same number may be an integer in another entry.
      case .real: throw TreeDamage()
      case .integer, .text, .blob: break
      }
      end += type.length
    }
    let kinds = UnsafeRawBufferPointer(rebasing: record[types..<next])
    let values = try entry.part(from: body, count: end - body)
    guard Self.isSame(kinds, former.header), Self.isSame(values, former.body), !hasNull else {
      former.header.replaceSubrange(0..., with: kinds)
      former.body.replaceSubrange(0..., with: values)
      return
    }
    guard next < body, let type = SerialType(try entry.variable(at: &next)), next == body,
      type.storageClass == .integer, found.count < limit
    else { throw TreeDamage() }
    found.append(type.integer(try entry.part(from: end, count: type.length)))
  }

  @inline(__always)
  private static func isSame(_ one: UnsafeRawBufferPointer, _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return other.withUnsafeBytes { other in
      guard let first = one.baseAddress, let second = other.baseAddress else { return true }
      return bulk_bytes_differ(first, second, one.count) == 0
    }
  }
}
