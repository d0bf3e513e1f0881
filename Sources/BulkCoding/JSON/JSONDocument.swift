/// A JSON document (RFC 8259) that knows where everything in it stands.
package struct JSONDocument: Sendable {
  /// The largest document that is read, in bytes.
  package static let sizeLimit = 8 * 1024 * 1024
  /// How deep arrays and objects may lie in one another.
  package static let depthLimit = 512

  /// The outermost value.
  package let root: JSONValue
  /// The members whose names their objects have already; their values are nowhere else.
  package let duplicates: [JSONMember]
  private let bytes: [UInt8]
  /// The offsets at which lines begin.
  private let lineStarts: [Int]

  /// Reads a document in UTF-8, with or without a byte order mark.
  ///
  /// - Throws: ``JSONError`` at the first place that breaks the grammar.
  package init(_ text: [UInt8]) throws(JSONError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text
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

  /// The place of a byte.
  package func position(of offset: Int) -> TextPosition {
    Self.position(of: offset, in: bytes, lineStarts)
  }

  /// The place of a character of a text, by the number of Unicode scalars before it.
  ///
  /// - Parameters:
  ///   - scalarCount: How many scalars of the text, as it is read, stand before the character.
  ///   - offset: Where the text's literal stands.
  /// - Returns: The place.
  package func position(ofScalar scalarCount: Int, inStringAt offset: Int) -> TextPosition {
    var literal = JSONStringScanner(bytes, at: offset)
    return position(of: literal.offset(ofScalar: scalarCount))
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
    // Bytes that continue a scalar count with its first one.
    return TextPosition(
      line: max(low, 1),
      column: bytes[start..<end].count { $0 & 0xC0 != 0x80 } + 1
    )
  }
}

/// Why a text is no JSON, and where.
package struct JSONError: Error, Hashable, Sendable {
  /// Where.
  package let position: TextPosition
  /// What is wrong.
  package let reason: String
}

extension JSONError: CustomStringConvertible {
  /// The place and the fault in one line.
  package var description: String { "\(position): \(reason)" }
}
