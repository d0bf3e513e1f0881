/// What the bytes between the marks of an XML document mean.
enum XMLText {
  /// Text with every line end as a line feed.
  static func string(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(0x0D) else { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    for (index, byte) in zip(bytes.indices, bytes)
    where byte != 0x0A || !follows(0x0D, index, bytes) {
      result.append(byte == 0x0D ? 0x0A : byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func follows(_ byte: UInt8, _ index: Int, _ bytes: ArraySlice<UInt8>) -> Bool {
    index > bytes.startIndex && bytes[index - 1] == byte
  }

  /// Text with its references replaced.
  static func decoded(
    _ bytes: ArraySlice<UInt8>,
    _ cursor: XMLCursor
  ) throws(CodingError) -> String {
    var result = ""
    var rest = bytes
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += string(rest[..<start])
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ";")) else {
        throw cursor.fault("has a reference that does not end")
      }
      let name = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
      guard let character = character(of: name) else {
        throw cursor.fault("has the unknown reference &\(name.prefix(20));")
      }
      result.unicodeScalars.append(character)
      rest = rest[(end + 1)...]
    }
    return result.isEmpty ? string(rest) : result + string(rest)
  }

  /// The bytes of an attribute, in which every line end and tabulator counts as a space.
  static func spaced(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard bytes.contains(where: { $0 < 0x20 }) else { return bytes }
    let text = Array(string(bytes).utf8)
    return text.map { $0 == 0x0A || $0 == 0x09 ? 0x20 : $0 }[...]
  }

  private static func character(of name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.first == "#" else { return nil }
      let isHexadecimal = name.dropFirst().first == "x"
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard digits.first?.isHexDigit == true else { return nil }
      return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    }
  }
}
