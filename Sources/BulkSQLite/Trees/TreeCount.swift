/// Counts the rows of a table or the entries of an index by the headers of its pages, without reading the rest of leaves.
package enum TreeCount {
  /// The number of entries below a root page, or one that reaches a limit; `nil` if a page is irregular, of which SQLite
  /// knows more.
  package static func entries(
    below root: UInt32,
    in file: SourceFile,
    upTo limit: Int64
  ) -> Int64? {
    guard let pages = try? TreePages(file) else { return nil }
    var count: Int64 = 0
    do {
      try TreeWalk(pageSize: pages.pageSize).walk(root) { number, _, buffer in
        let header = buffer.part(0..<TreePageKind.tableLeaf.headerSize)
        try pages.read(number, into: header)
        let page = try TreePage(number, UnsafeRawBufferPointer(header))
        guard page.cells <= (pages.pageSize - 8) / 6 else { throw TreeDamage() }
        // Keys of a table above its leaves are not those of further rows.
        if page.kind != .tableInterior { count += Int64(page.cells) }
        if count >= limit { throw Enough() }
        if page.kind.isLeaf { return nil }
        try pages.read(number, into: buffer)
        return try TreePage(number, buffer, pages.layout)
      }
      return count
    } catch {
      return error is Enough ? count : nil
    }
  }

  private struct Enough: Error {}
}
