/// Finds the long records of a table without SQLite, from the lengths in its cells alone.
///
/// Overflow pages are not read.
package struct LargeRecordScan {
  private let cursor: TreeCursor

  /// A scan of a table by its root page; `nil` if the file cannot be read.
  package init?(of root: UInt32, in file: SourceFile) {
    guard let cursor = TreeCursor(root, of: file) else { return nil }
    self.cursor = cursor
  }

  /// Finds the records that are longer than some bytes, and their values that are, in ascending order of their keys;
  /// `false` if the table is corrupt and could not be read to its end.
  package func scan(above bound: Int, _ found: (LargeRecord) -> Void) -> Bool {
    do {
      try cursor.seek(.min)
      while let row = try cursor.next() {
        guard row.count > bound else { continue }
        let values = try values(row.local, above: bound)
        found(LargeRecord(key: row.key, count: row.count, values: values))
      }
      return true
    } catch {
      return false
    }
  }

  /// The long values of a record, as far as its header is in its cell.
  private func values(
    _ record: UnsafeRawBufferPointer,
    above bound: Int
  ) throws(TreeDamage) -> [LargeRecord.Value] {
    var fields = try RecordFields(PageBytes(bytes: record))
    var result: [LargeRecord.Value] = []
    var column = 0
    while fields.offset < record.count, let (type, _) = try fields.next() {
      if type.length > bound {
        let isText = type.storageClass == .text
        result.append(LargeRecord.Value(column: column, count: type.length, isText: isText))
      }
      column += 1
    }
    return result
  }
}

/// A long record of a table.
package struct LargeRecord: Hashable, Sendable {
  /// A long text or blob of the record.
  package struct Value: Hashable, Sendable {
    /// The index of its column in the record, from 0.
    package let column: Int
    /// Its size in bytes.
    package let count: Int
    package let isText: Bool
  }

  package let key: Int64
  /// The size of the whole record in bytes.
  package let count: Int
  /// The values that are longer than the limit, in column order.
  package let values: [Value]
}
