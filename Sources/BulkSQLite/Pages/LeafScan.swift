/// Reads the integers in some columns of a table's rows, in the order of the rows.
///
/// It reads a table that was just written, and holds a page for each level.
struct LeafScan {
  let file: PageFile
  /// The indexes of the columns in the table; one may be another name of the row id.
  let columns: [Int]
  let key: Int?
  let path: String

  /// Calls a body with the row id of every row, and with the integers, NULL as `nil`; `false` if there are other
  /// values.
  func each(
    in root: UInt32,
    _ body: (Int64, UnsafeBufferPointer<Int64?>) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Bool {
    let values = UnsafeMutableBufferPointer<Int64?>.allocate(capacity: columns.count)
    defer { values.deallocate() }
    values.initialize(repeating: nil)
    var current = root
    do {
      try TreeWalk(pageSize: file.layout.pageSize).walk(root) { number, _, buffer in
        current = number
        try file.read(number, into: buffer)
        let page = try TreePage(number, buffer, file.layout)
        guard page.kind.isOfTable else { throw TreeDamage() }
        guard page.kind.isLeaf else { return page }
        for cell in 0..<page.cells {
          var offset = try page.place(ofCell: cell)
          let size = Int(try page.bytes.variable(at: &offset))
          let row = Int64(bitPattern: try page.bytes.variable(at: &offset))
          try read(page.bytes, at: offset, size: size, values)
          if let key, let place = columns.firstIndex(of: key) { values[place] = row }
          try body(row, UnsafeBufferPointer(values))
        }
        return nil
      }
      return true
    } catch let error as SQLiteError {
      throw error
    } catch is NoInteger {
      return false
    } catch {
      throw SQLiteError(.corrupt, message: "page \(current) was changed", path: path)
    }
  }

  /// A value is not an integer in its cell.
  private struct NoInteger: Error {}

  /// Throws ``NoInteger`` unless all values are integers or NULL that lie in the cell.
  private func read(
    _ bytes: PageBytes,
    at start: Int,
    size: Int,
    _ values: UnsafeMutableBufferPointer<Int64?>
  ) throws {
    let local = file.layout.localSize(ofRecord: size, inTable: true)
    var fields = try RecordFields(bytes, at: start)
    var column = 0
    var left = columns.count
    while left > 0, let (type, place) = try fields.next() {
      if let index = columns.firstIndex(of: column) {
        switch type.storageClass {
        case .null: values[index] = nil
        case .integer:
          guard place + type.length <= start + local else { throw NoInteger() }
          values[index] = type.integer(try bytes.part(from: place, count: type.length), at: 0)
        case .real, .text, .blob: throw NoInteger()
        }
        left -= 1
      }
      column += 1
    }
  }
}
