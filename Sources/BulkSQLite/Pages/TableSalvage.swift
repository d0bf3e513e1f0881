internal import BulkSupport

/// A page of a table, a leaf or one above leaves, whose rows cannot be read.
package struct UnreadablePage: Hashable, Sendable {
  package let number: UInt32
  /// The keys that its rows may have: from `.min` on the first page of a table, up to `.max` on the last.
  package let keys: ClosedRange<Int64>

  package init(number: UInt32, keys: ClosedRange<Int64>) {
    (self.number, self.keys) = (number, keys)
  }
}

/// Finds the pages of a table that SQLite cannot read, and takes them out of a copy of the file.
///
/// The pages above bound the keys of each page, so SQLite reads the rows of one leaf after another. A page above leaves
/// that cannot be read is one with all that is below it. Pages above those that are taken out are written again without
/// them. It holds a page for each level of the tree, and the unreadable pages.
package final class TableSalvage {
  package static let limit = 1_000

  private let pages: TreePages
  private let rows: Statement
  private let copy: PlainFile?
  private var found: [UnreadablePage] = []
  private var depth = 0
  /// The bytes that rows on further leaves can have; a corrupt file may claim more, which would take forever to read.
  private var bytesLeft: Int64

  /// More pages cannot be read than ``limit``.
  private struct TooMany: Error {}

  private init(_ table: String, _ connection: Connection, _ path: String?) throws {
    pages = try TreePages(path.map { SourceFile(path: $0) } ?? connection.file)
    bytesLeft = pages.pageCount * Int64(pages.pageSize)
    let columns = try connection.columns(of: table).filter { !$0.isHidden }
      .map { SQLText.quoted($0.name) }
    rows = try connection.prepare(
      "SELECT rowid, \(columns.joined(separator: ", ")) FROM main.\(SQLText.quoted(table)) NOT INDEXED "
        + "WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid LIMIT ?3"
    )
    copy = try path.map { try PlainFile.existing($0, PlainFile.own) }
  }

  /// The table has row ids.
  ///
  /// The log of the copy is empty; pages are taken out of its table, but not of its indexes. A
  /// stop, which is asked for every few milliseconds, is an error.
  ///
  /// Returns the pages in the order of their keys; `nil` if the root is corrupt, if SQLite can read
  /// all pages that seem corrupt, or if there are more than ``limit``.
  package static func pages(
    of table: String,
    in file: SourceFile,
    removingFrom copy: String? = nil,
    isStopped: (() -> Bool)? = nil
  ) throws(SQLiteError) -> [UnreadablePage]? {
    let connection = try Connection(reading: file)
    if let isStopped { connection.watch(isStopped) }
    try connection.execute("PRAGMA cell_size_check = ON")
    guard let root = try connection.root(ofTable: table) else { return nil }
    do {
      let salvage = try TableSalvage(table, connection, copy)
      if try salvage.pages.kind(of: root) == .tableLeaf {
        return try salvage.isReadable(root, .min ... .max) ? [] : nil
      }
      _ = try salvage.visit(root, .min ... .max)
      return salvage.found
    } catch let error as SQLiteError {
      throw error
    } catch {
      return nil
    }
  }

  /// Visits a page above leaves, and returns whether anything below it can be read.
  private func visit(_ page: UInt32, _ keys: ClosedRange<Int64>) throws -> Bool {
    guard depth < TreeWalk.depthLimit else { throw TreeDamage() }
    depth += 1
    defer { depth -= 1 }
    let branch = try TableBranch(page, in: pages)
    var left: [TableBranch.Child] = []
    var first = keys.lowerBound
    for child in branch.children {
      let last = child.key ?? keys.upperBound
      guard last >= first, last <= keys.upperBound else { throw TreeDamage() }
      if try branch.areLeaves
        ? visitLeaf(child.page, first...last) : visitBranch(child.page, first...last)
      {
        left.append(child)
      }
      guard last < .max else { break }
      first = last + 1
    }
    if left.count < branch.children.count { try write(left, to: page) }
    return !left.isEmpty
  }

  private func visitLeaf(_ page: UInt32, _ keys: ClosedRange<Int64>) throws -> Bool {
    if try isReadable(page, keys) { return true }
    try note(page, keys)
    return false
  }

  private func visitBranch(_ page: UInt32, _ keys: ClosedRange<Int64>) throws -> Bool {
    let before = found.count
    do {
      return try visit(page, keys)
    } catch is TreeDamage {
      guard try !isReadable(keys) else { throw TreeDamage() }
      found.removeSubrange(before...)
      try note(page, keys)
      return false
    }
  }

  private func note(_ page: UInt32, _ keys: ClosedRange<Int64>) throws {
    guard found.count < Self.limit else { throw TooMany() }
    found.append(UnreadablePage(number: page, keys: keys))
  }

  /// Whether SQLite reads as many rows as a leaf says, with all their values and with keys that belong there.
  private func isReadable(_ page: UInt32, _ keys: ClosedRange<Int64>) throws -> Bool {
    guard let cells = try cells(of: page), try isReadable(keys, cells.count) else { return false }
    bytesLeft -= cells.bytes
    return true
  }

  /// Whether SQLite reads all rows with keys in a range, each once; with a count, as many.
  private func isReadable(_ keys: ClosedRange<Int64>, _ count: Int? = nil) throws -> Bool {
    defer { rows.reset() }
    do throws(SQLiteError) {
      try rows.bind(keys)
      // The row behind the last is on another page, which must not be read for this one.
      try rows.bind(.integer(count.map { Int64($0) } ?? .max), at: 3)
      var (read, last) = (0, Int64.min)
      while try rows.step() {
        let key = rows.int64(at: 0)
        // Pages that share children would be read forever.
        guard keys.contains(key), key > last || read == 0 else { return false }
        (read, last) = (read + 1, key)
      }
      return count == nil || read == count
    } catch {
      guard error.result == .corrupt else { throw error }
      return false
    }
  }

  /// The number of a leaf's rows and their bytes; `nil` if the page is not a leaf, or if the rows claim to be longer
  /// than the rest of the file.
  ///
  /// Only a leaf that is the whole table may have none.
  private func cells(of page: UInt32) throws(TreeDamage) -> (count: Int, bytes: Int64)? {
    guard let page = try? pages.page(page), page.kind == .tableLeaf else { return nil }
    let count = page.cells
    var bytes: Int64 = 0
    guard count > 0 || depth == 0, 8 + 2 * count <= pages.usableSize else { return nil }
    for cell in 0..<count {
      var offset = try page.offset(ofCell: cell)
      guard offset >= 8 + 2 * count, let size = try? page.bytes.variable(at: &offset),
        size <= UInt64(bytesLeft - bytes)
      else { return nil }
      bytes += Int64(size)
    }
    return (count, bytes)
  }

  /// Writes a page of the copy again with those of its children that are left; without any, as an empty leaf.
  private func write(_ left: [TableBranch.Child], to page: UInt32) throws {
    guard let copy else { return }
    let buffer = pages.buffer
    func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
      buffer.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
    }
    if left.count == 1 {
      // SQLite reads no page without keys: the only child takes the place of the page.
      try pages.read(left[0].page, into: buffer)
    } else {
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      buffer[0] = (left.isEmpty ? TreePageKind.tableLeaf : .tableInterior).rawValue
      let children = left.dropLast()
      var end = pages.usableSize
      for (index, child) in children.enumerated() {
        let key = UInt64(bitPattern: child.key ?? .max)
        end -= 4 + VariableInteger.size(key)
        // Cells that share bytes in a corrupt page may need more space than it has.
        guard end >= 12 + 2 * children.count else { throw TreeDamage() }
        put(child.page, at: end)
        if let base = buffer.baseAddress { VariableInteger.write(key, to: base + end + 4) }
        put(UInt16(end), at: 12 + 2 * index)
      }
      put(UInt16(children.count), at: 3)
      put(UInt16(truncatingIfNeeded: end), at: 5)
      if let last = left.last { put(last.page, at: 8) }
    }
    try copy.write(UnsafeRawBufferPointer(buffer), at: pages.offset(of: page))
  }
}

/// A page of a table's tree that is not a leaf: its children, with the greatest keys that they may hold.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
struct TableBranch {
  struct Child {
    let page: UInt32
    /// The greatest key of its rows; `nil` for the last child, which has no bound of its own.
    let key: Int64?
  }

  /// In the order of their keys.
  let children: [Child]
  let areLeaves: Bool

  /// Most children show whether they are leaves; a child that differs counts as corrupt.
  ///
  /// Throws if the page cannot be as SQLite leaves it, or if its children may be leaves or not.
  init(_ page: UInt32, in pages: TreePages) throws(TreeDamage) {
    let page = try pages.page(page)
    guard page.kind == .tableInterior else { throw TreeDamage() }
    var children: [Child] = []
    for cell in 0..<page.cells {
      var offset = try page.offset(ofCell: cell)
      let child = try page.bytes.number32(at: offset)
      offset += 4
      let key = Int64(bitPattern: try page.bytes.variable(at: &offset))
      if let last = children.last?.key, last >= key { throw TreeDamage() }
      children.append(Child(page: child, key: key))
    }
    children.append(Child(page: try page.lastChild(), key: nil))
    self.children = children
    var (leaves, branches) = (0, 0)
    for child in children {
      guard child.page > 1 else { throw TreeDamage() }
      switch try pages.kind(of: child.page) {
      case .tableLeaf: leaves += 1
      case .tableInterior: branches += 1
      case .indexLeaf, .indexInterior, nil: break
      }
    }
    guard leaves != branches else { throw TreeDamage() }
    areLeaves = leaves > branches
  }
}

extension TreePages {
  /// The kind of a page that is not the first of the file; `nil` if it is not a page of a tree.
  fileprivate func kind(of page: UInt32) throws(TreeDamage) -> TreePageKind? {
    try read(page, into: buffer.part(0..<8))
    return TreePageKind(rawValue: buffer[0])
  }
}
