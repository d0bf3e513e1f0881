/// Reads a string literal of a JSON text character by character.
struct JSONStringScanner {
  typealias Fault = JSONReader.Fault

  private let bytes: [UInt8]
  /// The offset up to which the literal has been read.
  private(set) var offset: Int

  /// A scanner at the opening quotation mark of a literal.
  init(_ bytes: [UInt8], at offset: Int) {
    self.bytes = bytes
    self.offset = offset + 1
  }

  /// The whole string; afterwards the position is after the literal.
  mutating func text() throws(Fault) -> String {
    let start = offset - 1
    var text: [UInt8] = []
    while true {
      let plain = plainBytes()
      guard offset < bytes.count else { break }
      if bytes[offset] == UInt8(ascii: "\"") {
        offset += 1
        // Most texts are plain as a whole.
        return String(decoding: text.isEmpty ? plain : text[...] + plain, as: UTF8.self)
      }
      text += plain
      text += String(Character(try scalar())).utf8
    }
    throw Fault(offset: start, reason: "the text that begins here has no end")
  }

  /// The offset of the character after this many scalars, or of the closing quotation mark.
  mutating func offset(ofScalar count: Int) -> Int {
    for _ in 0..<max(0, count) {
      guard offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") else { break }
      guard (try? scalar()) != nil else { break }
    }
    return offset
  }

  /// The characters up to the next one that is special or not ASCII.
  private mutating func plainBytes() -> ArraySlice<UInt8> {
    let start = offset
    while offset < bytes.count, (0x20..<0x80).contains(bytes[offset]),
      bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "\\")
    {
      offset += 1
    }
    return bytes[start..<offset]
  }

  private mutating func scalar() throws(Fault) -> Unicode.Scalar {
    let byte = bytes[offset]
    if byte == UInt8(ascii: "\\") { return try escape() }
    guard byte >= 0x20 else {
      throw Fault(
        offset: offset,
        reason:
          "a text holds the control character \(byte); write it as \\u\(Self.hexadecimal(byte))"
      )
    }
    let length = byte < 0x80 ? 1 : (~byte).leadingZeroBitCount
    let end = offset + length
    guard
      (1...4).contains(length), end <= bytes.count,
      let scalar = String(validating: bytes[offset..<end], as: UTF8.self)?.unicodeScalars.first
    else { throw Fault(offset: offset, reason: "the byte \(byte) is not UTF-8 here") }
    offset = end
    return scalar
  }

  private mutating func escape() throws(Fault) -> Unicode.Scalar {
    let start = offset
    offset += 1
    let mark = offset < bytes.count ? bytes[offset] : 0
    offset += 1
    switch mark {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(mark)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeScalar(from: start)
    default:
      throw Fault(
        offset: start,
        reason: "invalid escape sequence; write \\\\ for a backslash"
      )
    }
  }

  private mutating func unicodeScalar(from start: Int) throws(Fault) -> Unicode.Scalar {
    let high = try unit(from: start)
    if let scalar = Unicode.Scalar(UInt32(high)) { return scalar }
    let fault = Fault(offset: start, reason: "half of a surrogate pair is missing")
    guard
      UTF16.isLeadSurrogate(high), offset + 1 < bytes.count,
      bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
    else { throw fault }
    offset += 2
    let low = try unit(from: start)
    guard UTF16.isTrailSurrogate(low) else { throw fault }
    let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// The value of four hexadecimal digits.
  private mutating func unit(from start: Int) throws(Fault) -> UInt16 {
    let digits = bytes[min(offset, bytes.count)...].prefix(4)
    let isSigned = digits.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: "-")
    guard
      digits.count == 4, !isSigned,
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw Fault(offset: start, reason: "\\u needs four hexadecimal digits") }
    offset += 4
    return unit
  }

  /// The number of a control character in four digits.
  static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
