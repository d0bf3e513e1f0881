/// Reads the integers in some columns of a table's rows, in the order of the rows.
///
/// It reads a table that was just written, and holds a page for each level.
struct LeafScan {
  private let file: PageFile
  private let columns: [Int]
  private let key: Int?
  private let path: String

  /// - Parameters:
  ///   - columns: The indexes of the columns.
  ///   - key: The index of the column that is another name of the row id, if there is one.
  ///   - file: The file.
  ///   - path: Its path, for errors.
  init(of columns: [Int], key: Int?, in file: PageFile, path: String) {
    self.file = file
    self.columns = columns
    self.key = key
    self.path = path
  }

  /// Calls a body with the row id of every row, and with the integers; NULL is `nil`.
  ///
  /// - Returns: Whether all values were integers or NULL.
  func each(
    in root: UInt32,
    _ body: (Int64, UnsafeBufferPointer<Int64?>) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Bool {
    let values = UnsafeMutableBufferPointer<Int64?>.allocate(capacity: columns.count)
    defer { values.deallocate() }
    values.initialize(repeating: nil)
    return try visit(root, values, body)
  }

  private func visit(
    _ page: UInt32,
    _ values: UnsafeMutableBufferPointer<Int64?>,
    _ body: (Int64, UnsafeBufferPointer<Int64?>) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: file.layout.pageSize,
      alignment: 16
    )
    defer { buffer.deallocate() }
    try file.read(page, into: buffer)
    let bytes = PageBytes(bytes: UnsafeRawBufferPointer(buffer))
    do {
      return try visit(bytes, values, body)
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw SQLiteError(.corrupt, message: "page \(page) was changed", path: path)
    }
  }

  private func visit(
    _ bytes: PageBytes,
    _ values: UnsafeMutableBufferPointer<Int64?>,
    _ body: (Int64, UnsafeBufferPointer<Int64?>) throws(SQLiteError) -> Void
  ) throws -> Bool {
    let cells = try bytes.number16(at: 3)
    guard try bytes.byte(at: 0) == TreePageKind.tableLeaf.rawValue else {
      for cell in 0..<cells {
        let child = try bytes.number32(at: try bytes.number16(at: 12 + 2 * cell))
        guard try visit(child, values, body) else { return false }
      }
      return try visit(try bytes.number32(at: 8), values, body)
    }
    for cell in 0..<cells {
      var offset = try bytes.number16(at: 8 + 2 * cell)
      let size = Int(try bytes.variable(at: &offset))
      let row = Int64(bitPattern: try bytes.variable(at: &offset))
      guard try read(bytes, at: offset, size: size, values) else { return false }
      if let key, let place = columns.firstIndex(of: key) { values[place] = row }
      try body(row, UnsafeBufferPointer(values))
    }
    return true
  }

  /// Reads the values of a record.
  ///
  /// - Returns: Whether all of them are integers or NULL that lie in the cell.
  private func read(
    _ bytes: PageBytes,
    at start: Int,
    size: Int,
    _ values: UnsafeMutableBufferPointer<Int64?>
  ) throws -> Bool {
    let local = file.layout.localSize(ofRecord: size, inTable: true)
    var offset = start
    let end = start + Int(try bytes.variable(at: &offset))
    var place = end
    var column = 0
    var left = columns.count
    while left > 0, offset < end {
      guard let type = SerialType(try bytes.variable(at: &offset)) else { throw TreeDamage() }
      if let index = columns.firstIndex(of: column) {
        switch type.storageClass {
        case .null: values[index] = nil
        case .integer:
          guard place + type.length <= start + local else { return false }
          values[index] = type.integer(
            try bytes.part(from: place, count: type.length)
          )
        case .real, .text, .blob: return false
        }
        left -= 1
      }
      place += type.length
      column += 1
    }
    return true
  }
}
