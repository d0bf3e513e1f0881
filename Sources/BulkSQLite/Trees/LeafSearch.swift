/// A page of a table, a leaf or one above leaves, whose rows cannot be read.
package struct UnreadableSubtree: Hashable, Sendable {
  package let page: UInt32
  /// The keys that its rows may have: from `.min` on the first page of a table, up to `.max` on the last.
  package let keys: ClosedRange<Int64>

  package init(page: UInt32, keys: ClosedRange<Int64>) {
    (self.page, self.keys) = (page, keys)
  }
}

/// Finds the pages of a table that SQLite cannot read.
///
/// The pages above them bound the keys of each page, so SQLite reads the rows of one leaf after
/// another. A page above leaves that cannot be read is one with all that is below it. It holds a
/// page for each level of the tree, and the unreadable pages.
package final class LeafSearch {
  /// The maximum number of unreadable pages with which a table can be read.
  package static let limit = 1_000

  private let pages: TreePages
  private let rows: Statement
  private var found: [UnreadableSubtree] = []
  private var depth = 0

  /// More pages cannot be read than ``limit``.
  private struct TooMany: Error {}

  /// - Throws: ``SQLiteError`` if the table cannot be found, ``TreeDamage`` if the file cannot be read.
  private init(_ table: String, _ connection: Connection) throws {
    pages = try TreePages(connection.file)
    let columns = try connection.columns(of: table).filter { !$0.isHidden }
      .map { "typeof(\(SQLText.quoted($0.name)))" }
    // The type of the last value requires the whole header of a record.
    rows = try connection.prepare(
      "SELECT rowid, \(columns.joined(separator: ", ")) FROM main.\(SQLText.quoted(table)) NOT INDEXED "
        + "WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid LIMIT ?3"
    )
  }

  /// Searches a table, which has row ids.
  ///
  /// - Returns: The pages in the order of their keys; `nil` if the root is corrupt, if SQLite can
  ///   read all pages that seem corrupt, or if there are more than ``limit``.
  /// - Throws: ``SQLiteError`` if the file cannot be opened.
  package static func leaves(
    of table: String,
    path: String
  ) throws(SQLiteError) -> [UnreadableSubtree]? {
    let connection = try Connection(path: path, access: .source)
    try connection.execute("PRAGMA cell_size_check = ON")
    guard let root = try connection.root(ofTable: table) else { return nil }
    do {
      let search = try LeafSearch(table, connection)
      if try search.pages.isLeaf(root) {
        return try search.isReadable(root, .min ... .max) ? [] : nil
      }
      try search.visit(root, .min ... .max)
      return search.found
    } catch let error as SQLiteError {
      throw error
    } catch {
      return nil
    }
  }

  private func visit(_ page: UInt32, _ keys: ClosedRange<Int64>) throws {
    guard depth < TreeWalk.depthLimit else { throw TreeDamage() }
    depth += 1
    defer { depth -= 1 }
    let branch = try TableBranch(page, in: pages)
    var first = keys.lowerBound
    for child in branch.children {
      let last = child.key ?? keys.upperBound
      guard last >= first, last <= keys.upperBound else { throw TreeDamage() }
      if !branch.areLeaves {
        try visitBranch(child.page, first...last)
      } else if try !isReadable(child.page, first...last) {
        try note(child.page, first...last)
      }
      guard last < .max else { break }
      first = last + 1
    }
  }

  /// Visits a page above leaves below the root.
  private func visitBranch(_ page: UInt32, _ keys: ClosedRange<Int64>) throws {
    let before = found.count
    do {
      try visit(page, keys)
    } catch is TreeDamage {
      guard try !isReadable(keys) else { throw TreeDamage() }
      found.removeSubrange(before...)
      try note(page, keys)
    }
  }

  private func note(_ page: UInt32, _ keys: ClosedRange<Int64>) throws {
    guard found.count < Self.limit else { throw TooMany() }
    found.append(UnreadableSubtree(page: page, keys: keys))
  }

  /// Whether SQLite finds as many rows as the page says, with keys that belong there.
  private func isReadable(_ page: UInt32, _ keys: ClosedRange<Int64>) throws -> Bool {
    guard let count = try cells(of: page) else { return false }
    return try isReadable(keys, count)
  }

  /// Whether SQLite reads all rows with keys in a range; with a count, as many, and with keys that belong there.
  private func isReadable(_ keys: ClosedRange<Int64>, _ count: Int? = nil) throws -> Bool {
    defer { rows.reset() }
    do throws(SQLiteError) {
      try rows.bind(keys)
      // The row behind the last is on another page, which must not be read for this one.
      try rows.bind(.integer(count.map { Int64($0) } ?? .max), at: 3)
      var (read, last) = (0, Int64.min)
      while try rows.step() {
        let key = rows.int64(at: 0)
        guard count == nil || keys.contains(key) && (key > last || read == 0) else { return false }
        (read, last) = (read + 1, key)
      }
      return count == nil || read == count
    } catch {
      guard error.result == .corrupt else { throw error }
      return false
    }
  }

  /// The number of a leaf's rows; `nil` if the page is not a leaf, or if a row claims to be longer
  /// than the file.
  ///
  /// Only a leaf that is the whole table may have none.
  private func cells(of page: UInt32) throws(TreeDamage) -> Int? {
    try pages.read(page, into: pages.buffer)
    guard let page = try? TreePage(page, pages.buffer, pages.layout), page.kind == .tableLeaf else {
      return nil
    }
    let count = page.cells
    guard count > 0 || depth == 0, 8 + 2 * count <= pages.usableSize else { return nil }
    for cell in 0..<count {
      var place = try page.place(ofCell: cell)
      guard place >= 8 + 2 * count, let size = try? page.bytes.variable(at: &place),
        size <= UInt64(pages.pageCount) * UInt64(pages.pageSize)
      else { return nil }
    }
    return count
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

  /// The children in the order of their keys.
  let children: [Child]
  /// Whether the children are leaves.
  let areLeaves: Bool

  /// Reads a page.
  ///
  /// Most children show whether they are leaves; a child that differs counts as corrupt.
  ///
  /// - Throws: ``TreeDamage`` if it cannot be as SQLite leaves it, or if its children cannot be distinguished from leaves.
  init(_ page: UInt32, in pages: TreePages) throws(TreeDamage) {
    let page = try pages.page(page)
    guard page.kind == .tableInterior else { throw TreeDamage() }
    var children: [Child] = []
    for cell in 0..<page.cells {
      var place = try page.place(ofCell: cell)
      let child = try page.bytes.number32(at: place)
      place += 4
      let key = Int64(bitPattern: try page.bytes.variable(at: &place))
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

  /// Whether a page says that it is a leaf of a table.
  func isLeaf(_ page: UInt32) throws(TreeDamage) -> Bool { try kind(of: page) == .tableLeaf }
}
