/// A property list value, independent of the file format.
package enum PropertyList: Hashable, Sendable {
  case boolean(Bool)
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  /// A date, in seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case data([UInt8])
  case string(String)
  /// A reference of a keyed archive, which XML writes as `CF$UID`.
  case uid(Int)
  case array([PropertyList])
  case dictionary([String: PropertyList])
  /// No value; only binary property lists can hold it.
  case null

  /// The nesting limit of all readers, so that a walk over the value cannot exhaust the stack.
  package static let depthLimit = 256

  /// The Boolean, if it is one; archives also write 0 and 1.
  package var boolean: Bool? {
    switch self {
    case .boolean(let value): value
    case .integer(0): false
    case .integer(1): true
    case .integer, .unsigned, .real, .date, .data, .string, .uid, .array, .dictionary, .null: nil
    }
  }

  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var data: [UInt8]? {
    if case .data(let value) = self { value } else { nil }
  }

  package var array: [PropertyList]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var dictionary: [String: PropertyList]? {
    if case .dictionary(let value) = self { value } else { nil }
  }
}

extension PropertyList {
  /// Old-style text is refused with its conversion.
  package init(_ bytes: [UInt8]) throws(CodingError) {
    if bytes.starts(with: Array("bplist".utf8)) {
      self = try BinaryPropertyListReader.read(bytes)
    } else if Self.isXML(bytes) {
      self = try XMLPropertyListReader.read(bytes)
    } else {
      let isOldStyle = Self.firstCharacter(of: bytes).map(Array("{(/".utf8).contains) ?? false
      throw .notA(
        "property list",
        reason: isOldStyle
          ? "it is old-style text; convert it with plutil -convert xml1"
          : "it is neither binary nor XML"
      )
    }
  }

  /// Whether the first character of a text is that of XML; a byte order mark and blanks may precede it.
  package static func isXML(_ bytes: [UInt8]) -> Bool {
    firstCharacter(of: bytes) == UInt8(ascii: "<")
  }

  private static func firstCharacter(of bytes: [UInt8]) -> UInt8? {
    bytes.first { $0 > 0x20 && $0 < 0x80 }
  }
}
