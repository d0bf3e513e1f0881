extension SQLiteValue {
  /// Hashes the value so that numbers agree that are worth the same, and texts that have the same bytes.
  package func hashBytes(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .integer(let number): Self.feed(number, &hasher)
    case .real(let number):
      if let whole = Int64(exactly: number) {
        Self.feed(whole, &hasher)
      } else {
        hasher.combine(2 as UInt8)
        hasher.combine(number.bitPattern)
      }
    case .text(var text):
      hasher.combine(3 as UInt8)
      text.withUTF8 { bytes in
        hasher.combine(bytes.count)
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
      }
    case .blob(let bytes):
      hasher.combine(4 as UInt8)
      bytes.withUnsafeBytes {
        hasher.combine($0.count)
        hasher.combine(bytes: $0)
      }
    case .streamed(let value):
      hasher.combine(5 as UInt8)
      hasher.combine(value)
    }
  }

  private static func feed(_ number: Int64, _ hasher: inout Hasher) {
    hasher.combine(1 as UInt8)
    hasher.combine(number)
  }
}
