/// A position in the bytes of a text.
struct ByteCursor: Sendable {
  let bytes: [UInt8]
  private(set) var offset: Int
  /// The line, from 1, of a cursor that began at the first byte.
  private(set) var line = 1

  init(_ bytes: [UInt8], at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  mutating func advance() {
    if bytes[offset] == 0x0A { line += 1 }
    offset += 1
  }

  /// Skips a text without line ends, if it comes next.
  mutating func skip(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard length <= bytes.count - offset else { return false }
    // A static string lasts as long as the process, and `length` is its count.
    for index in 0..<length where unsafe bytes[offset + index] != text.utf8Start[index] {
      return false
    }
    offset += length
    return true
  }

  @discardableResult
  mutating func skipBlanks() -> Bool { !take(while: Self.isBlank).isEmpty }

  /// Reads bytes while they satisfy a condition.
  @discardableResult
  mutating func take(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = offset
    while offset < bytes.count, isPart(bytes[offset]) { advance() }
    return bytes[start..<offset]
  }

  /// Reads bytes up to a mark, and skips the mark; `nil` without it.
  mutating func take(past mark: StaticString) -> ArraySlice<UInt8>? {
    let start = offset
    while offset < bytes.count {
      let end = offset
      if skip(mark) { return bytes[start..<end] }
      advance()
    }
    return nil
  }
}

extension [UInt8] {
  /// A text in UTF-8 without the byte order mark that it may begin with.
  var withoutByteOrderMark: [UInt8] {
    starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
  }
}
