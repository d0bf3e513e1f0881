import BulkPlatform

/// Reads XML property lists.
///
/// A dictionary whose only key is `CF$UID` is a reference of a keyed archive.
struct XMLPropertyListReader {
  private var scanner: XMLScanner
  private var stack: [XMLPropertyListContainer] = []
  private var text = ""
  private var result: PropertyList?

  static func read(_ bytes: [UInt8]) throws(CodingError) -> PropertyList {
    var reader = XMLPropertyListReader(scanner: try XMLScanner(bytes))
    while let event = try reader.scanner.next() { try reader.take(event) }
    guard let result = reader.result else { throw reader.fault("holds no value") }
    return result
  }

  private init(scanner: XMLScanner) { self.scanner = scanner }

  private func fault(_ reason: String) -> CodingError { .xml(line: scanner.line, reason: reason) }

  private mutating func take(_ event: XMLScanner.Event) throws(CodingError) {
    switch event {
    case .text(let more): text += more
    case .start(let name, _):
      text = ""
      guard name == "dict" || name == "array" else { return }
      guard stack.count < PropertyList.depthLimit else {
        throw fault("holds more than \(PropertyList.depthLimit) levels")
      }
      stack.append(XMLPropertyListContainer(isDictionary: name == "dict"))
    case .end(let name):
      defer { text = "" }
      try end(name)
    }
  }

  private mutating func end(_ name: String) throws(CodingError) {
    switch name {
    case "plist": return
    case "key":
      guard let top = stack.indices.last, stack[top].setKey(text) else {
        throw fault("has a key outside of a dictionary")
      }
    case "dict", "array":
      guard let value = stack.popLast()?.value else { throw fault("has a key without a value") }
      try add(value)
    default:
      guard let value = XMLPropertyListScalar.value(of: text, element: name) else {
        throw fault("has a <\(name)> that holds no such value")
      }
      try add(value)
    }
  }

  private mutating func add(_ value: PropertyList) throws(CodingError) {
    guard let top = stack.indices.last else {
      guard result == nil else { throw fault("holds two values") }
      result = value
      return
    }
    guard stack[top].add(value) else {
      throw fault("has a value without a key, or a key twice")
    }
  }
}

/// An array or a dictionary whose end tag has not been read.
private struct XMLPropertyListContainer {
  private let isDictionary: Bool
  private var key: String?
  private var elements: [PropertyList] = []
  private var entries: [String: PropertyList] = [:]

  init(isDictionary: Bool) { self.isDictionary = isDictionary }

  mutating func setKey(_ name: String) -> Bool {
    guard isDictionary, key == nil else { return false }
    key = name
    return true
  }

  mutating func add(_ value: PropertyList) -> Bool {
    guard isDictionary else {
      elements.append(value)
      return true
    }
    guard let key else { return false }
    self.key = nil
    return entries.updateValue(value, forKey: key) == nil
  }

  /// The complete container, or `nil` if its last key has no value.
  var value: PropertyList? {
    guard isDictionary else { return .array(elements) }
    guard key == nil else { return nil }
    guard
      entries.count == 1, case .integer(let number)? = entries["CF$UID"],
      let uid = Int(exactly: number), uid >= 0
    else { return .dictionary(entries) }
    return .uid(uid)
  }
}

/// The content of scalar elements in XML property lists.
enum XMLPropertyListScalar {
  /// The value of an element, or `nil` if its text is invalid.
  static func value(of text: String, element: String) -> PropertyList? {
    switch element {
    case "string": .string(text)
    case "true": .boolean(true)
    case "false": .boolean(false)
    case "integer": integer(text)
    case "real": Double(text.trimmed).map { .real($0) }
    case "data": data(text)
    case "date": date(text.trimmed)
    default: nil
    }
  }

  private static func integer(_ text: String) -> PropertyList? {
    let text = text.trimmed
    let isNegative = text.hasPrefix("-")
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard text.count - digits.count <= 1 else { return nil }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let number = isHexadecimal ? digits.dropFirst(2) : digits
    guard let first = number.first, first != "-", first != "+" else { return nil }
    let radix = isHexadecimal ? 16 : 10
    if let value = Int64((isNegative ? "-" : "") + number, radix: radix) { return .integer(value) }
    return isNegative ? nil : UInt64(number, radix: radix).map { .unsigned($0) }
  }

  private static func data(_ text: String) -> PropertyList? {
    let packed = text.filter { !$0.isWhitespace }
    return Data(base64Encoded: packed).map { .data(Array($0)) }
  }

  /// A date always has the form `2001-01-01T00:00:00Z`.
  private static func date(_ text: String) -> PropertyList? {
    guard let date = try? Date(text, strategy: .iso8601) else { return nil }
    return .date(date.timeIntervalSinceReferenceDate)
  }
}

extension String {
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
