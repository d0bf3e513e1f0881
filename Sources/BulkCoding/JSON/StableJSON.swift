internal import BulkPlatform

/// JSON in which equal values have equal texts: keys are sorted, slashes are not escaped.
package enum StableJSON {
  /// A document of several lines, for `--json`.
  package static func document(_ value: some Encodable) throws -> String {
    try text(of: value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
  }

  /// A single line, for streams of events and for files that are compared line by line.
  package static func line(_ value: some Encodable) throws -> String {
    try text(of: value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func text(
    of value: some Encodable,
    _ formatting: JSONEncoder.OutputFormatting
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// Writes the parts of a JSON document.
package enum JSONText {
  /// A string literal; slashes and non-ASCII characters are not escaped.
  package static func quoted(_ text: String) -> String {
    // Few texts have anything to escape.
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return "\"\(text)\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
