internal import CBulkSQLite

/// One value of one row, open for incremental reading or writing; closed when it goes out of scope.
///
/// Source: “Open A BLOB For Incremental I/O” of SQLite's C interface.
package struct BlobHandle: ~Copyable {
  package struct Location: Hashable, Sendable {
    package let schema: String
    package let table: String
    package let column: String
    package let key: Int64

    package init(schema: String, table: String, column: String, key: Int64) {
      self.schema = schema
      self.table = table
      self.column = column
      self.key = key
    }
  }

  /// In bytes.
  static let pieceSize = 1 << 16

  private let handle: OpaquePointer
  private let connection: Connection

  /// Throws if the row does not exist, or the value is neither text nor blob.
  init(_ connection: Connection, _ location: Location, isWritable: Bool) throws(SQLiteError) {
    var handle: OpaquePointer?
    let code = sqlite3_blob_open(
      connection.handle,
      location.schema,
      location.table,
      location.column,
      location.key,
      isWritable ? 1 : 0,
      &handle
    )
    guard code == SQLITE_OK, let handle else { throw connection.lastError() }
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_blob_close(handle) }

  package var count: Int { Int(sqlite3_blob_bytes(handle)) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SQLiteError) {
    let code = sqlite3_blob_read(
      handle,
      buffer.baseAddress,
      Int32(clamping: buffer.count),
      Int32(clamping: offset)
    )
    guard code == SQLITE_OK else { throw connection.lastError() }
  }

  /// The body gets each piece and its offset.
  func eachPiece(
    from start: Int = 0,
    _ body: (UnsafeRawBufferPointer, Int) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
    defer { buffer.deallocate() }
    for offset in stride(from: start, to: count, by: Self.pieceSize) {
      let piece = buffer.part(0..<min(Self.pieceSize, count - offset))
      try read(into: piece, at: offset)
      try body(UnsafeRawBufferPointer(piece), offset)
    }
  }

  func firstByte() throws(SQLiteError) -> UInt8? {
    guard count > 0 else { return nil }
    var byte: UInt8 = 0
    let code = sqlite3_blob_read(handle, &byte, 1, 0)
    guard code == SQLITE_OK else { throw connection.lastError() }
    return byte
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SQLiteError) {
    let code = sqlite3_blob_write(
      handle,
      bytes.baseAddress,
      Int32(clamping: bytes.count),
      Int32(clamping: offset)
    )
    guard code == SQLITE_OK else { throw connection.lastError() }
  }
}

extension Connection {
  /// Overwrites a value, which must be large enough, with another one but for its first bytes.
  package func copyValue(
    to destination: BlobHandle.Location,
    at start: Int = 0,
    from source: BlobHandle.Location,
    skipping skipped: Int = 0
  ) throws(SQLiteError) {
    let from = try BlobHandle(self, source, isWritable: false)
    let to = try BlobHandle(self, destination, isWritable: true)
    try from.eachPiece(from: skipped) { piece, offset throws(SQLiteError) in
      try to.write(piece, at: start + offset - skipped)
    }
  }

  package func beginning(
    ofValueAt location: BlobHandle.Location
  ) throws(SQLiteError) -> (count: Int, firstByte: UInt8?) {
    let value = try BlobHandle(self, location, isWritable: false)
    return (value.count, try value.firstByte())
  }

  package func write(_ bytes: [UInt8], to location: BlobHandle.Location) throws(SQLiteError) {
    guard !bytes.isEmpty else { return }
    let value = try BlobHandle(self, location, isWritable: true)
    try bytes.span.bytes.withUnsafeBytes { bytes throws(SQLiteError) in
      try value.write(bytes, at: 0)
    }
  }
}
