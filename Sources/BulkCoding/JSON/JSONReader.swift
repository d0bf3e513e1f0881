/// Reads the values of a JSON document in sequence.
struct JSONReader {
  /// A violation of the grammar, and its offset in bytes.
  struct Fault: Error {
    let offset: Int
    let reason: String
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0
  private(set) var duplicates: [JSONMember] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The single value of the whole text.
  mutating func document() throws(Fault) -> JSONValue {
    guard bytes.count <= JSONDocument.sizeLimit else {
      throw fault("it is larger than \(JSONDocument.sizeLimit) bytes")
    }
    skipBlanks()
    let value = try value()
    skipBlanks()
    guard offset == bytes.count else { throw fault("expected the end, found \(found)") }
    return value
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func fault(_ reason: String, at place: Int? = nil) -> Fault {
    Fault(offset: place ?? offset, reason: reason)
  }

  /// A description of what is at the current position, for messages.
  private var found: String {
    guard let next else { return "the end" }
    let length = max(1, (~next).leadingZeroBitCount)
    let end = min(offset + length, bytes.count)
    guard
      let text = String(validating: bytes[offset..<end], as: UTF8.self),
      let scalar = text.unicodeScalars.first, scalar.value >= 0x20
    else { return "the byte \(next)" }
    return "'\(scalar)'"
  }

  private mutating func skipBlanks() {
    while let next, next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { offset += 1 }
  }

  private mutating func skip(_ byte: Character) -> Bool {
    guard let next, next == byte.asciiValue else { return false }
    offset += 1
    return true
  }

  private mutating func value() throws(Fault) -> JSONValue {
    let start = offset
    let content: JSONValue.Content
    switch next {
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
    let letters = bytes[offset...].prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    let content: JSONValue.Content
    switch String(decoding: letters.prefix(8), as: UTF8.self) {
    case "null": content = .null
    case "true": content = .boolean(true)
    case "false": content = .boolean(false)
    default: throw fault("expected a value, found \(found)")
    }
    offset += letters.count
    return content
  }

  private mutating func enter() throws(Fault) {
    depth += 1
    guard depth <= JSONDocument.depthLimit else {
      throw fault("more than \(JSONDocument.depthLimit) values lie in one another")
    }
    offset += 1
    skipBlanks()
  }

  private mutating func elements() throws(Fault) -> [JSONValue] {
    try enter()
    defer { depth -= 1 }
    var result: [JSONValue] = []
    if skip("]") { return result }
    while true {
      skipBlanks()
      result.append(try value())
      skipBlanks()
      if skip("]") { return result }
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
    if skip("}") { return result }
    while true {
      skipBlanks()
      let member = try member()
      let isNew =
        result.count < Self.searchedMembers
        ? !result.contains { $0.name == member.name } : names.insert(member.name).inserted
      if isNew { result.append(member) } else { duplicates.append(member) }
      if result.count == Self.searchedMembers { names = Set(result.map(\.name)) }
      skipBlanks()
      if skip("}") { return result }
      try comma(before: "}")
    }
  }

  /// Reads the comma behind a member or an element, and the blanks behind it.
  private mutating func comma(before end: Character) throws(Fault) {
    let place = offset
    guard skip(",") else { throw fault("expected ',' or '\(end)', found \(found)") }
    skipBlanks()
    guard next != end.asciiValue else {
      offset = place
      throw fault("trailing comma: nothing follows it but '\(end)'")
    }
  }

  private mutating func member() throws(Fault) -> JSONMember {
    let start = offset
    guard next == UInt8(ascii: "\"") else {
      throw fault("expected a name in quotation marks, found \(found)")
    }
    let name = try string()
    skipBlanks()
    guard skip(":") else { throw fault("expected ':', found \(found)") }
    skipBlanks()
    return JSONMember(name: name, offset: start, value: try value())
  }

  private mutating func string() throws(Fault) -> String {
    var scanner = JSONStringScanner(bytes, at: offset)
    let text = try scanner.text()
    offset = scanner.offset
    return text
  }

  private mutating func number() throws(Fault) -> String {
    let start = offset
    _ = skip("-")
    if !skip("0"), digits() == 0 { throw fault("expected a digit, found \(found)") }
    if skip("."), digits() == 0 { throw fault("expected a digit, found \(found)") }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      if digits() == 0 { throw fault("expected a digit, found \(found)") }
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func digits() -> Int {
    let count = bytes[offset...].prefix(while: Self.isDigit).count
    offset += count
    return count
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
