internal import CBulkSQLite

extension Statement {
  /// A digest of a value and its storage class, equal for equal values in any process.
  ///
  /// - Parameter column: The column, from 0.
  /// - Returns: The digest.
  package func digest(at column: Int32) -> UInt64 {
    var digest = ContentDigest()
    let type = sqlite3_column_type(handle, column)
    var words: (UInt64, UInt64, UInt64, UInt64) = (UInt64(truncatingIfNeeded: type), 0, 0, 0)
    switch type {
    case SQLITE_INTEGER: words.1 = UInt64(bitPattern: int64(at: column)).littleEndian
    case SQLITE_FLOAT: words.1 = double(at: column).bitPattern.littleEndian
    default: break
    }
    withUnsafeBytes(of: &words) { digest.update($0) }
    if type == SQLITE_TEXT || type == SQLITE_BLOB { digest.update(bytes(at: column)) }
    return digest.word
  }
}

extension Connection {
  /// A digest of the bytes of a value, which is read piece by piece.
  ///
  /// - Parameter place: The place of a text or BLOB.
  /// - Returns: The digest.
  /// - Throws: ``SQLiteError`` if there is no such value, or it cannot be read.
  package func digest(ofValueAt place: BlobHandle.Place) throws(SQLiteError) -> UInt64 {
    let value = try BlobHandle(self, place, isWritable: false)
    let size = BlobHandle.pieceSize
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var digest = ContentDigest()
    var offset = 0
    while offset < value.count {
      let piece = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(size, value.count - offset)]
      )
      try value.read(into: piece, at: offset)
      digest.update(UnsafeRawBufferPointer(piece))
      offset += piece.count
    }
    return digest.word
  }
}
