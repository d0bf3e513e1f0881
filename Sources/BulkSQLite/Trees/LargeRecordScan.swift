/// Finds the long records of a table without SQLite, from the lengths in its cells alone.
///
/// Overflow pages are not read.
package struct LargeRecordScan {
  /// A long text or blob: the index of its column in the record, from 0, and its size in bytes.
  package typealias Value = (column: Int, bytes: Int64, isText: Bool)

  private let cursor: TreeCursor

  /// A scan of a table; `nil` if the file has no such table, or cannot be read.
  ///
  /// - Throws: ``SQLiteError`` if the file cannot be opened.
  package init?(of table: String, in file: SourceFile) throws(SQLiteError) {
    guard let root = try Connection(reading: file).root(ofTable: table),
      let cursor = TreeCursor(root, of: file)
    else { return nil }
    self.cursor = cursor
  }

  /// Calls a body with the key, the size in bytes and the long values of every record that is longer than some bytes,
  /// in ascending order of their keys; with only some if the table is corrupt.
  package func scan(above bound: Int, _ found: (Int64, _ bytes: Int64, [Value]) -> Void) {
    do throws(TreeDamage) {
      try cursor.seek(.min)
      while let row = try cursor.next() {
        guard row.count > bound else { continue }
        found(row.key, Int64(row.count), try values(row.local, above: bound))
      }
    } catch {}
  }

  /// The long values of a record, as far as its header is in its cell.
  private func values(
    _ record: UnsafeRawBufferPointer,
    above bound: Int
  ) throws(TreeDamage) -> [Value] {
    var fields = try RecordFields(PageBytes(bytes: record))
    var result: [Value] = []
    var column = 0
    while fields.offset < record.count, let (type, _) = try fields.next() {
      if type.length > bound {
        result.append((column, Int64(type.length), type.storageClass == .text))
      }
      column += 1
    }
    return result
  }
}
