/// A position in the bytes of an XML document.
struct XMLCursor: Sendable {
  private let bytes: [UInt8]
  private var offset = 0
  private(set) var line = 1

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset >= bytes.count }

  /// The next byte, which is not consumed.
  var peek: UInt8? { isAtEnd ? nil : bytes[offset] }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  func fault(_ reason: String) -> CodingError { .xml(line: line, reason: reason) }

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
  mutating func take(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = offset
    while offset < bytes.count, isPart(bytes[offset]) { advance() }
    return bytes[start..<offset]
  }

  /// Reads bytes up to a mark, and skips the mark.
  mutating func takePast(_ mark: String) throws(CodingError) -> ArraySlice<UInt8> {
    let (start, mark) = (offset, Array(mark.utf8))
    while mark.count <= bytes.count - offset {
      if bytes[offset] == mark[0], bytes[offset..<(offset + mark.count)].elementsEqual(mark) {
        let part = bytes[start..<offset]
        offset += mark.count
        return part
      }
      advance()
    }
    throw fault("ends before \(String(decoding: mark, as: UTF8.self))")
  }

  mutating func skipPast(_ mark: String) throws(CodingError) { _ = try takePast(mark) }

  /// Reads the name of an element or an attribute.
  mutating func takeName() throws(CodingError) -> String {
    let name = take { byte in
      switch byte {
      case 0...0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "="),
        UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "!"),
        UInt8(ascii: "?"):
        false
      default: true
      }
    }
    guard !name.isEmpty else { throw fault("lacks a name") }
    return String(decoding: name, as: UTF8.self)
  }
}
