extension SQLiteValue {
  /// Hashes the value so that numbers agree that are worth the same, and texts that have the same bytes.
  package func hashBytes(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .integer(let number): Self.hash(number, &hasher)
    case .real(let number): Self.hash(number, &hasher)
    case .text(var text):
      text.withUTF8 { Self.hash(3, UnsafeRawBufferPointer($0), &hasher) }
    case .blob(let bytes): bytes.withUnsafeBytes { Self.hash(4, $0, &hasher) }
    case .streamed(let value):
      hasher.combine(5 as UInt8)
      hasher.combine(value)
    }
  }

  fileprivate static func hash(_ number: Int64, _ hasher: inout Hasher) {
    hasher.combine(1 as UInt8)
    hasher.combine(number)
  }

  fileprivate static func hash(_ number: Double, _ hasher: inout Hasher) {
    if let whole = Int64(exactly: number) { return hash(whole, &hasher) }
    hasher.combine(2 as UInt8)
    hasher.combine(number.bitPattern)
  }

  fileprivate static func hash(
    _ kind: UInt8,
    _ bytes: UnsafeRawBufferPointer,
    _ hasher: inout Hasher
  ) {
    hasher.combine(kind)
    hasher.combine(bytes.count)
    hasher.combine(bytes: bytes)
  }
}

extension Statement {
  /// Hashes a column of the current row as its value would be, without making one.
  ///
  /// - Returns: Whether it is NULL.
  package func hashValue(
    at column: Int32,
    into first: inout Hasher,
    _ second: inout Hasher
  ) -> Bool {
    func feed(_ body: (inout Hasher) -> Void) {
      body(&first)
      body(&second)
    }
    switch storageClass(at: column) {
    case .null:
      feed { $0.combine(0 as UInt8) }
      return true
    case .integer:
      let number = int64(at: column)
      feed { SQLiteValue.hash(number, &$0) }
    case .real:
      let number = double(at: column)
      feed { SQLiteValue.hash(number, &$0) }
    case .text:
      let bytes = utf8(at: column)
      feed { SQLiteValue.hash(3, bytes, &$0) }
    case .blob:
      let bytes = self.bytes(at: column)
      feed { SQLiteValue.hash(4, bytes, &$0) }
    }
    return false
  }
}
