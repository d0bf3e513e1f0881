internal import CBulkSQLite

extension Statement {
  /// Whether the row has the same value as a row of another statement, of the same storage class; nothing is
  /// copied.
  package func hasSameValue(at column: Int32, as other: borrowing Statement) -> Bool {
    let type = sqlite3_column_type(handle, column)
    guard type == sqlite3_column_type(other.handle, column) else { return false }
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER:
      return int64(at: column) == other.int64(at: column)
    case SQLITE_FLOAT:
      return double(at: column).bitPattern == other.double(at: column).bitPattern
    default:
      return bytes(at: column).isSame(as: other.bytes(at: column))
    }
  }
}

extension Connection {
  /// Whether a text or BLOB has the same bytes as one of another connection; both are read piece by piece.
  package func hasSameBytes(
    at location: BlobHandle.Location,
    as other: Connection,
    at otherLocation: BlobHandle.Location
  ) throws(SQLiteError) -> Bool {
    let one = try BlobHandle(self, location, isWritable: false)
    let two = try BlobHandle(other, otherLocation, isWritable: false)
    guard one.count == two.count else { return false }
    let size = BlobHandle.pieceSize
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * size, alignment: 16)
    defer { buffer.deallocate() }
    for offset in stride(from: 0, to: one.count, by: size) {
      let count = min(size, one.count - offset)
      let first = buffer.part(0..<count)
      let second = buffer.part(size..<size + count)
      try one.read(into: first, at: offset)
      try two.read(into: second, at: offset)
      if !first.elementsEqual(second) { return false }
    }
    return true
  }
}

extension Statement {
  /// A digest of a value and its storage class, equal for equal values in any process.
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
  /// A digest of the bytes of a text or BLOB, which is read piece by piece.
  package func digest(ofValueAt location: BlobHandle.Location) throws(SQLiteError) -> UInt64 {
    let value = try BlobHandle(self, location, isWritable: false)
    var digest = ContentDigest()
    try value.eachPiece { piece, _ throws(SQLiteError) in digest.update(piece) }
    return digest.word
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Some of the bytes, counted from 0.
  @inline(__always)
  func part(_ locations: Range<Int>) -> UnsafeMutableRawBufferPointer {
    .init(rebasing: self[locations])
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  func part(_ locations: Range<Int>) -> UnsafeRawBufferPointer { .init(rebasing: self[locations]) }

  @inline(__always)
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let first = baseAddress, let second = other.baseAddress else { return true }
    return bulk_bytes_differ(first, second, count) == 0
  }
}
