/// Tokenizes an XML document.
///
/// It supports the syntax of model files, mapping models and property lists: elements, attributes, text,
/// CDATA, the five predefined entities and character references. Comments, processing instructions and the
/// document type are skipped; external resources are never read, and entities cannot be declared, so text
/// never expands. Foundation's parser is not used, because on Linux it traps on bytes that are not UTF-8.
package struct XMLScanner: Sendable {
  package enum Event: Equatable, Sendable {
    case start(String, attributes: [String: String])
    /// Some text; an element may have several consecutive texts.
    case text(String)
    /// An element ends; reported for empty elements too.
    case end(String)
  }

  private var cursor: ByteCursor
  private var open: [String] = []
  private var emptyElement: String?
  private var hasRoot = false

  package init(_ bytes: [UInt8]) throws(CodingError) {
    let text = bytes.withoutByteOrderMark
    guard String(validating: text, as: UTF8.self) != nil else {
      throw .xml(line: 1, reason: "is not UTF-8")
    }
    cursor = ByteCursor(text)
  }

  package var line: Int { cursor.line }

  package var depth: Int { open.count }

  func fault(_ reason: String) -> CodingError { .xml(line: line, reason: reason) }

  /// The next token, or `nil` after the last element.
  package mutating func next() throws(CodingError) -> Event? {
    if let name = emptyElement {
      emptyElement = nil
      open.removeLast()
      return .end(name)
    }
    while cursor.peek != nil {
      if cursor.skip("<?") {
        try skipPast("?>")
      } else if cursor.skip("<!--") {
        try skipPast("-->")
      } else if cursor.skip("<![CDATA[") {
        guard !open.isEmpty else { throw fault("has text outside of its root element") }
        return .text(Self.string(try take(past: "]]>")))
      } else if cursor.skip("<!") {
        try skipDocumentType()
      } else if cursor.skip("</") {
        return try end()
      } else if cursor.skip("<") {
        return try start()
      } else if let event = try text() {
        return event
      }
    }
    guard hasRoot, open.isEmpty else {
      throw fault(open.last.map { "ends inside <\($0)>" } ?? "has no element")
    }
    return nil
  }

  private mutating func take(past mark: StaticString) throws(CodingError) -> ArraySlice<UInt8> {
    guard let part = cursor.take(past: mark) else { throw fault("ends before \(mark)") }
    return part
  }

  private mutating func skipPast(_ mark: StaticString) throws(CodingError) {
    _ = try take(past: mark)
  }

  private mutating func takeName() throws(CodingError) -> String {
    let name = cursor.take { $0 > 0x20 && !"<>/=&\"'!?".utf8.contains($0) }
    guard !name.isEmpty else { throw fault("lacks a name") }
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func text() throws(CodingError) -> Event? {
    let bytes = cursor.take { $0 != UInt8(ascii: "<") }
    guard open.isEmpty else { return .text(try decoded(bytes)) }
    guard bytes.allSatisfy(ByteCursor.isBlank) else {
      throw fault("has text outside of its root element")
    }
    return nil
  }

  private mutating func end() throws(CodingError) -> Event {
    let name = try takeName()
    cursor.skipBlanks()
    guard cursor.skip(">") else { throw fault("does not close </\(name)") }
    guard let innermost = open.popLast(), innermost == name else {
      throw fault("ends <\(name)>, which is not open,")
    }
    return .end(name)
  }

  private mutating func start() throws(CodingError) -> Event {
    let name = try takeName()
    guard !open.isEmpty || !hasRoot else { throw fault("has two root elements") }
    hasRoot = true
    let attributes = try self.attributes(of: name)
    if cursor.skip("/>") {
      emptyElement = name
    } else {
      guard cursor.skip(">") else { throw fault("does not close <\(name)") }
    }
    open.append(name)
    return .start(name, attributes: attributes)
  }

  private mutating func attributes(of element: String) throws(CodingError) -> [String: String] {
    var result: [String: String] = [:]
    while true {
      let isApart = cursor.skipBlanks()
      guard let next = cursor.peek, next != UInt8(ascii: "/"), next != UInt8(ascii: ">") else {
        return result
      }
      let name = try takeName()
      cursor.skipBlanks()
      guard isApart, cursor.skip("=") else {
        throw fault("has a broken attribute \(name) of <\(element)>")
      }
      cursor.skipBlanks()
      let mark: StaticString? = cursor.skip("\"") ? "\"" : cursor.skip("'") ? "'" : nil
      guard let quote = mark else {
        throw fault("does not quote the attribute \(name) of <\(element)>")
      }
      let bytes = try take(past: quote)
      guard !bytes.contains(UInt8(ascii: "<")) else {
        throw fault("has < in the attribute \(name) of <\(element)>")
      }
      let value = try decoded(Self.spaced(bytes))
      guard result.updateValue(value, forKey: name) == nil else {
        throw fault("has the attribute \(name) of <\(element)> twice")
      }
    }
  }

  /// Skips `<!DOCTYPE …>` with its bracketed internal subset.
  private mutating func skipDocumentType() throws(CodingError) {
    guard !hasRoot, cursor.skip("DOCTYPE") else { throw fault("has an unknown declaration") }
    var isInside = false
    while let byte = cursor.peek {
      cursor.advance()
      switch byte {
      case UInt8(ascii: "\""): try skipPast("\"")
      case UInt8(ascii: "'"): try skipPast("'")
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: ">") where !isInside: return
      case UInt8(ascii: "<") where cursor.skip("!--"): try skipPast("-->")
      default: continue
      }
    }
    throw fault("ends inside its document type")
  }
}

extension XMLScanner {
  /// Text with every line end normalized to a line feed.
  private static func string(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(0x0D) else { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    for (index, byte) in zip(bytes.indices, bytes)
    where byte != 0x0A || index == bytes.startIndex || bytes[index - 1] != 0x0D {
      result.append(byte == 0x0D ? 0x0A : byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Text with its references resolved.
  private func decoded(_ bytes: ArraySlice<UInt8>) throws(CodingError) -> String {
    var result = ""
    var rest = bytes
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += Self.string(rest[..<start])
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ";")) else {
        throw fault("has a reference that does not end")
      }
      let name = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
      guard let character = Self.character(of: name) else {
        throw fault("has the unknown reference &\(name.prefix(20));")
      }
      result.unicodeScalars.append(character)
      rest = rest[(end + 1)...]
    }
    return result.isEmpty ? Self.string(rest) : result + Self.string(rest)
  }

  /// The bytes of an attribute value, with line ends and tabs normalized to spaces.
  private static func spaced(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
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
