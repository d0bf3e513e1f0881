/// A JSON document (RFC 8259) that keeps the position of each of its values.
package struct JSONDocument: Sendable {
  /// The size limit of a document, in bytes.
  package static let sizeLimit = 8 * 1024 * 1024
  package static let depthLimit = 512

  package let root: JSONValue
  /// The members with duplicate names; their values are kept only here.
  package let duplicates: [JSONMember]
  private let bytes: [UInt8]
  private let lineStarts: [Int]

  /// Reads a document in UTF-8, with or without a byte order mark.
  package init(_ text: [UInt8]) throws(JSONError) {
    let bytes = text.withoutByteOrderMark
    self.bytes = bytes
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    var reader = JSONReader(bytes)
    do throws(JSONReader.Fault) {
      root = try reader.document()
    } catch {
      let position = Self.position(of: error.offset, in: bytes, lineStarts)
      throw JSONError(position: position, reason: error.reason)
    }
    duplicates = reader.duplicates
  }

  package func position(of offset: Int) -> TextPosition {
    Self.position(of: offset, in: bytes, lineStarts)
  }

  /// The line and column of a character in a text, by the number of Unicode scalars before it.
  package func position(ofScalar scalarCount: Int, inStringAt offset: Int) -> TextPosition {
    var reader = JSONReader(bytes, at: offset)
    return position(of: reader.offset(ofScalar: scalarCount))
  }

  private static func position(
    of offset: Int,
    in bytes: [UInt8],
    _ lineStarts: [Int]
  ) -> TextPosition {
    var (low, high) = (0, lineStarts.count)
    while low < high {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    let start = lineStarts[max(low, 1) - 1]
    let end = min(max(offset, start), bytes.count)
    // Continuation bytes belong to the scalar's first byte.
    return TextPosition(
      line: max(low, 1),
      column: bytes[start..<end].count { $0 & 0xC0 != 0x80 } + 1
    )
  }
}

package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  package let position: TextPosition
  package let reason: String

  package var description: String { "\(position): \(reason)" }
}

package struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// The column, from 1, in Unicode scalars.
  package let column: Int

  package var description: String { "\(line):\(column)" }
}

package struct JSONValue: Hashable, Sendable {
  package indirect enum Content: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number, as written.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Values by name, in document order; of duplicate names, only the first.
    case object([JSONMember])
  }

  package let content: Content
  /// The offset of the value in bytes.
  package let offset: Int

  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  package var members: [JSONMember]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The value of a member; `nil` in an object without it, and in other kinds of values.
  package subscript(name: String) -> JSONValue? { members?.first { $0.name == name }?.value }

  package var kind: String {
    switch content {
    case .null: "null"
    case .boolean: "a Boolean"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

package struct JSONMember: Hashable, Sendable {
  package let name: String
  /// The offset of the name in bytes.
  package let offset: Int
  package let value: JSONValue
}

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

package enum JSONText {
  /// A string literal; slashes and non-ASCII characters are not escaped.
  package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// An object with those members that have a value, each of them JSON.
  package static func object(_ members: [(String, String?)], isSpaced: Bool = false) -> String {
    let (colon, comma) = isSpaced ? (": ", ", ") : (":", ",")
    let texts = members.compactMap { name, value in value.map { "\(quoted(name))\(colon)\($0)" } }
    return "{\(texts.joined(separator: comma))}"
  }

  /// The content of a string literal.
  package static func escaped(_ text: String) -> String {
    // Few texts have anything to escape.
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        result += JSONReader.escape(of: UInt8(scalar.value))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
