internal import Foundation

/// What the texts of `xcmapping.xml` mean.
enum XcodeMappingText {
  /// A text with its escapes undone.
  ///
  /// `\uXXYY` stands for a UTF-16 unit whose bytes are XX and YY, the lower one first: `\u3e00` is
  /// `>` (mapping-model-format.md 2.2). Any other backslash is one.
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    let units = Array(text.utf16)
    var result: [UInt16] = []
    var index = 0
    while index < units.count {
      if let unit = escape(in: units, at: index) {
        result.append(unit)
        index += 6
      } else {
        result.append(units[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF16.self)
  }

  private static func escape(in units: [UInt16], at index: Int) -> UInt16? {
    guard
      index + 6 <= units.count,
      units[index] == 0x5C, units[index + 1] == 0x75
    else { return nil }
    let digits = units[(index + 2)..<(index + 6)].compactMap { unit -> UInt16? in
      UInt8(exactly: unit).flatMap { Character(Unicode.Scalar($0)).hexDigitValue }
        .map { UInt16($0) }
    }
    guard digits.count == 4 else { return nil }
    return digits[0] << 4 | digits[1] | digits[2] << 12 | digits[3] << 8
  }

  /// The bytes that a text in base 64 stands for, which may be broken into lines.
  static func bytes(base64 text: String) -> [UInt8]? {
    let bare = text.utf8.filter { $0 > 0x20 }
    return Data(base64Encoded: Data(bare)).map { Array($0) }
  }
}
