/// The formats of property list files.
package enum PropertyListFormat: Hashable, Sendable {
  /// `bplist00`
  case binary
  /// XML, as `<plist version="1.0">`.
  case xml
  /// The old-style NeXTSTEP format, in which all scalars are strings.
  case openStep

  /// The format that the first bytes of a file indicate.
  ///
  /// Old-style data also begins with `<`, but continues with a digit or its end; XML continues with `?`,
  /// `!` or `plist`.
  package init(of bytes: [UInt8]) {
    let characters = bytes.lazy.filter { $0 > 0x20 && $0 < 0x80 }.prefix(2)
    let next = characters.dropFirst().first.map { Character(Unicode.Scalar($0)) }
    if bytes.starts(with: Array("bplist".utf8)) {
      self = .binary
    } else if characters.first == UInt8(ascii: "<"), let next, !next.isHexDigit, next != ">" {
      self = .xml
    } else {
      self = .openStep
    }
  }
}

extension PropertyList {
  /// Reads a property list in any format.
  ///
  /// - Throws: ``CodingError`` for bytes that are not a property list.
  package init(_ bytes: [UInt8]) throws(CodingError) {
    switch PropertyListFormat(of: bytes) {
    case .binary: self = try BinaryPropertyListReader.read(bytes)
    case .xml: self = try XMLPropertyListReader.read(bytes)
    case .openStep: self = try OpenStepPropertyListReader.read(bytes)
    }
  }
}
