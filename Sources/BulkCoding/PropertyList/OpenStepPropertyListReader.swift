/// Reads property lists in the old-style NeXTSTEP format.
///
/// Its values are strings, unquoted or quoted; data, `<00ff>`; arrays, `(a, b)`; and dictionaries,
/// `{ key = value; }`. Comments are as in C.
struct OpenStepPropertyListReader {
  private let bytes: [UInt8]
  private var offset = 0

  static func read(_ bytes: [UInt8]) throws(CodingError) -> PropertyList {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .notA("property list", reason: "it is neither binary nor UTF-8")
    }
    var reader = OpenStepPropertyListReader(bytes: bytes)
    let value = try reader.value(depth: 0)
    try reader.skipBlanks()
    guard reader.peek == nil else { throw reader.fault("continues after its value") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func fault(_ reason: String) -> CodingError {
    .invalid("old-style property list", offset: offset, reason: reason)
  }

  private mutating func value(depth: Int) throws(CodingError) -> PropertyList {
    guard depth < PropertyList.depthLimit else {
      throw .tooDeep("old-style property list", offset: offset, limit: PropertyList.depthLimit)
    }
    try skipBlanks()
    if skip("(") { return .array(try elements(depth: depth)) }
    if skip("{") { return .dictionary(try entries(depth: depth)) }
    if skip("<") { return .data(try data()) }
    return .string(try string())
  }

  private mutating func elements(depth: Int) throws(CodingError) -> [PropertyList] {
    var result: [PropertyList] = []
    try skipBlanks()
    while !skip(")") {
      result.append(try value(depth: depth + 1))
      try skipBlanks()
      guard skip(",") || peek == UInt8(ascii: ")") else { throw fault("lacks , or )") }
      try skipBlanks()
    }
    return result
  }

  private mutating func entries(depth: Int) throws(CodingError) -> [String: PropertyList] {
    var result: [String: PropertyList] = [:]
    try skipBlanks()
    while !skip("}") {
      let key = try string()
      try skipBlanks()
      guard skip("=") else { throw fault("lacks =") }
      guard result.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
        throw fault("has the key \(key) twice")
      }
      try skipBlanks()
      guard skip(";") || peek == UInt8(ascii: "}") else { throw fault("lacks ; or }") }
      try skipBlanks()
    }
    return result
  }

  private mutating func data() throws(CodingError) -> [UInt8] {
    var digits: [UInt8] = []
    while !skip(">") {
      guard let byte = peek else { throw fault("ends inside data") }
      offset += 1
      if byte <= 0x20 { continue }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault("has data that is not hexadecimal")
      }
      digits.append(UInt8(digit))
    }
    guard digits.count.isMultiple(of: 2) else { throw fault("has half a byte") }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private mutating func string() throws(CodingError) -> String {
    if skip("\"") { return try quoted(UInt8(ascii: "\"")) }
    if skip("'") { return try quoted(UInt8(ascii: "'")) }
    let start = offset
    while let byte = peek, Self.isBare(byte) { offset += 1 }
    guard offset > start else { throw fault("lacks a value") }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func skipBlanks() throws(CodingError) {
    while let byte = peek {
      if byte <= 0x20 {
        offset += 1
      } else if bytes[offset...].starts(with: [0x2F, 0x2F]) {
        while let byte = peek, byte != 0x0A { offset += 1 }
      } else if bytes[offset...].starts(with: [0x2F, 0x2A]) {
        offset += 2
        while !bytes[offset...].starts(with: [0x2A, 0x2F]) {
          guard peek != nil else { throw fault("ends inside a comment") }
          offset += 1
        }
        offset += 2
      } else {
        return
      }
    }
  }

  /// A string up to its closing quotation mark, with escapes such as `\n`, `\U00e9` and `\351`.
  private mutating func quoted(_ mark: UInt8) throws(CodingError) -> String {
    var units: [UInt16] = []
    var start = offset
    while let byte = peek {
      offset += 1
      guard byte == mark || byte == UInt8(ascii: "\\") else { continue }
      units += String(decoding: bytes[start..<(offset - 1)], as: UTF8.self).utf16
      if byte == mark { return String(decoding: units, as: UTF16.self) }
      units.append(try escape())
      start = offset
    }
    throw fault("ends inside a string")
  }

  private mutating func escape() throws(CodingError) -> UInt16 {
    guard let byte = peek else { throw fault("ends inside a string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "a"): return 0x07
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "U"), UInt8(ascii: "u"): return number(radix: 16, digits: 4)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      offset -= 1
      return number(radix: 8, digits: 3)
    case 0x80...: throw fault("escapes a character that is not ASCII")
    default: return UInt16(byte)
    }
  }

  private mutating func number(radix: UInt16, digits: Int) -> UInt16 {
    var result: UInt16 = 0
    for _ in 0..<digits {
      guard
        let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
        digit < Int(radix)
      else { break }
      result = result &* radix &+ UInt16(digit)
      offset += 1
    }
    return result
  }
}
