/// Reads the values of a JSON document in sequence, or a string literal of one.
struct JSONReader {
  struct Fault: Error {
    let offset: Int
    let reason: String
  }

  private var cursor: ByteCursor
  private var depth = 0
  private(set) var duplicates: [JSONMember] = []

  init(_ bytes: [UInt8], at offset: Int = 0) { cursor = ByteCursor(bytes, at: offset) }

  mutating func document() throws(Fault) -> JSONValue {
    guard cursor.bytes.count <= JSONDocument.sizeLimit else {
      throw fault("it is larger than \(JSONDocument.sizeLimit) bytes")
    }
    cursor.skipBlanks()
    let value = try value()
    cursor.skipBlanks()
    guard cursor.peek == nil else { throw fault("expected the end, found \(found)") }
    return value
  }

  private func fault(_ reason: String, at offset: Int? = nil) -> Fault {
    Fault(offset: offset ?? cursor.offset, reason: reason)
  }

  private var found: String {
    guard let next = cursor.peek else { return "the end" }
    let length = max(1, (~next).leadingZeroBitCount)
    guard
      let text = String(validating: cursor.bytes[cursor.offset...].prefix(length), as: UTF8.self),
      let scalar = text.unicodeScalars.first, scalar.value >= 0x20
    else { return "the byte \(next)" }
    return "'\(scalar)'"
  }

  private mutating func value() throws(Fault) -> JSONValue {
    let start = cursor.offset
    let content: JSONValue.Content
    switch cursor.peek {
    case UInt8(ascii: "{"): content = .object(try members())
    case UInt8(ascii: "["): content = .array(try elements())
    case UInt8(ascii: "\""): content = .string(try string())
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      content = .number(try number())
    default: content = try word()
    }
    return JSONValue(content: content, offset: start)
  }

  private mutating func word() throws(Fault) -> JSONValue.Content {
    let start = cursor.offset
    let letters = cursor.take { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    switch String(decoding: letters.prefix(8), as: UTF8.self) {
    case "null": return .null
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default:
      cursor = ByteCursor(cursor.bytes, at: start)
      throw fault("expected a value, found \(found)")
    }
  }

  private mutating func enter() throws(Fault) {
    depth += 1
    guard depth <= JSONDocument.depthLimit else {
      throw fault("more than \(JSONDocument.depthLimit) values lie in one another")
    }
    cursor.advance()
    cursor.skipBlanks()
  }

  private mutating func elements() throws(Fault) -> [JSONValue] {
    try enter()
    defer { depth -= 1 }
    var result: [JSONValue] = []
    if cursor.skip("]") { return result }
    while true {
      cursor.skipBlanks()
      result.append(try value())
      cursor.skipBlanks()
      if cursor.skip("]") { return result }
      try comma(before: "]")
    }
  }

  /// The members of an object among which names are searched one by one.
  private static let searchedMembers = 8

  private mutating func members() throws(Fault) -> [JSONMember] {
    try enter()
    defer { depth -= 1 }
    var result: [JSONMember] = []
    var names: Set<String> = []
    if cursor.skip("}") { return result }
    while true {
      cursor.skipBlanks()
      let member = try member()
      let isNew =
        result.count < Self.searchedMembers
        ? !result.contains { $0.name == member.name } : names.insert(member.name).inserted
      if isNew { result.append(member) } else { duplicates.append(member) }
      if result.count == Self.searchedMembers { names = Set(result.map(\.name)) }
      cursor.skipBlanks()
      if cursor.skip("}") { return result }
      try comma(before: "}")
    }
  }

  /// Reads the comma behind a member or an element, and the blanks behind it.
  private mutating func comma(before end: Character) throws(Fault) {
    let start = cursor.offset
    guard cursor.skip(",") else { throw fault("expected ',' or '\(end)', found \(found)") }
    cursor.skipBlanks()
    guard cursor.peek != end.asciiValue else {
      throw fault("trailing comma: nothing follows it but '\(end)'", at: start)
    }
  }

  private mutating func member() throws(Fault) -> JSONMember {
    let start = cursor.offset
    guard cursor.peek == UInt8(ascii: "\"") else {
      throw fault("expected a name in quotation marks, found \(found)")
    }
    let name = try string()
    cursor.skipBlanks()
    guard cursor.skip(":") else { throw fault("expected ':', found \(found)") }
    cursor.skipBlanks()
    return JSONMember(name: name, offset: start, value: try value())
  }

  private mutating func number() throws(Fault) -> String {
    let start = cursor.offset
    _ = cursor.skip("-")
    if !cursor.skip("0"), digits() == 0 { throw fault("expected a digit, found \(found)") }
    if cursor.skip("."), digits() == 0 { throw fault("expected a digit, found \(found)") }
    if cursor.skip("e") || cursor.skip("E") {
      if !cursor.skip("+") { _ = cursor.skip("-") }
      if digits() == 0 { throw fault("expected a digit, found \(found)") }
    }
    return String(decoding: cursor.bytes[start..<cursor.offset], as: UTF8.self)
  }

  private mutating func digits() -> Int { cursor.take(while: Self.isDigit).count }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension JSONReader {
  private mutating func string() throws(Fault) -> String {
    let start = cursor.offset
    cursor.advance()
    var text: [UInt8] = []
    while true {
      // The characters up to the next one that is special or not ASCII.
      let plain = cursor.take {
        (0x20..<0x80).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
      guard cursor.peek != nil else { break }
      if cursor.skip("\"") {
        // Most texts are plain as a whole.
        return String(decoding: text.isEmpty ? plain : text[...] + plain, as: UTF8.self)
      }
      text += plain
      text += String(Character(try scalar())).utf8
    }
    throw fault("the text that begins here has no end", at: start)
  }

  /// The offset of the character after this many scalars of the literal that comes next, or of its closing
  /// quotation mark.
  mutating func offset(ofScalar count: Int) -> Int {
    guard cursor.peek != nil else { return cursor.offset }
    cursor.advance()
    for _ in 0..<max(0, count) {
      guard let next = cursor.peek, next != UInt8(ascii: "\""), (try? scalar()) != nil else {
        break
      }
    }
    return cursor.offset
  }

  private mutating func scalar() throws(Fault) -> Unicode.Scalar {
    let start = cursor.offset
    if cursor.skip("\\") { return try escape(from: start) }
    let byte = cursor.bytes[start]
    guard byte >= 0x20 else {
      throw fault(
        "a text holds the control character \(byte); write it as \(Self.escape(of: byte))"
      )
    }
    let length = byte < 0x80 ? 1 : (~byte).leadingZeroBitCount
    let part = cursor.bytes[start...].prefix(length)
    guard
      (1...4).contains(length), part.count == length,
      let scalar = String(validating: part, as: UTF8.self)?.unicodeScalars.first
    else { throw fault("the byte \(byte) is not UTF-8 here") }
    for _ in part { cursor.advance() }
    return scalar
  }

  private mutating func escape(from start: Int) throws(Fault) -> Unicode.Scalar {
    let mark = cursor.peek ?? 0
    if cursor.peek != nil { cursor.advance() }
    switch mark {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(mark)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw fault("invalid escape sequence; write \\\\ for a backslash", at: start)
    }
    let high = try unit(from: start)
    if let scalar = Unicode.Scalar(UInt32(high)) { return scalar }
    let half = fault("half of a surrogate pair is missing", at: start)
    guard UTF16.isLeadSurrogate(high), cursor.skip("\\u") else { throw half }
    let low = try unit(from: start)
    guard UTF16.isTrailSurrogate(low) else { throw half }
    let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func unit(from start: Int) throws(Fault) -> UInt16 {
    let digits = cursor.bytes[cursor.offset...].prefix(4)
    let text = String(decoding: digits, as: UTF8.self)
    guard text.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt16(text, radix: 16) else {
      throw fault("\\u needs four hexadecimal digits", at: start)
    }
    for _ in digits { cursor.advance() }
    return unit
  }

  static func escape(of byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
