package import BulkSQLite

/// The large rows of a table, found by the record lengths in its pages alone.
package struct LargeRows {
  private let scan: LargeRecordScan
  private let columns: [String]

  /// Prepares to search for the rows; `nil` if the store has no such table, or its pages cannot be read.
  ///
  /// - Throws: ``StoreError`` if the store cannot be opened.
  package init?(of table: FileTable, in file: SourceFile) throws(StoreError) {
    try self.init(of: table.name, columns: table.columns.map(\.name), in: file)
  }

  /// Prepares to search for the rows; without columns, their values have no names.
  init?(of table: String, columns: [String] = [], in file: SourceFile) throws(StoreError) {
    guard let scan = try LargeRecordScan(of: table, in: file) else { return nil }
    self.scan = scan
    self.columns = columns
  }

  /// Calls a body with the rows in ascending order of their keys; with only some if the table is corrupt.
  package func forEach(_ body: (LargeRow) -> Void) {
    scan.scan(above: LargeValue.bound) { key, bytes, values in
      let values = values.map {
        LargeRow.Value(
          column: $0.column < columns.count ? columns[$0.column] : "",
          bytes: $0.bytes,
          isText: $0.isText
        )
      }
      body(LargeRow(key: key, bytes: bytes, values: values))
    }
  }
}

/// A row of a store whose record is longer than ``LargeValue/bound``.
package struct LargeRow: Hashable, Sendable {
  /// A text or a BLOB that alone is longer than that.
  package struct Value: Hashable, Sendable {
    package let column: String
    /// Its size in bytes.
    package let bytes: Int64
    package let isText: Bool
  }

  package let key: Int64
  /// The size of the record in bytes.
  package let bytes: Int64
  /// The large values, in the order of their columns.
  package let values: [Value]
}
