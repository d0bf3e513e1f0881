/// Reads XML property lists.
///
/// A dictionary whose only key is `CF$UID` is a reference of a keyed archive.
struct XMLPropertyListReader {
  /// An array or a dictionary whose end tag has not been read.
  private struct Container {
    let isDictionary: Bool
    var key: String?
    var elements: [PropertyList] = []
    var entries: [String: PropertyList] = [:]
  }

  private var scanner: XMLScanner
  private var stack: [Container] = []
  private var text = ""
  private var result: PropertyList?

  static func read(_ bytes: [UInt8]) throws(CodingError) -> PropertyList {
    var reader = XMLPropertyListReader(scanner: try XMLScanner(bytes))
    while let event = try reader.scanner.next() { try reader.take(event) }
    guard let result = reader.result else { throw reader.scanner.fault("holds no value") }
    return result
  }

  private init(scanner: XMLScanner) { self.scanner = scanner }

  private mutating func take(_ event: XMLScanner.Event) throws(CodingError) {
    switch event {
    case .text(let more): text += more
    case .start(let name, _):
      text = ""
      guard name == "dict" || name == "array" else { return }
      guard stack.count < PropertyList.depthLimit else {
        throw scanner.fault("holds more than \(PropertyList.depthLimit) levels")
      }
      stack.append(Container(isDictionary: name == "dict"))
    case .end(let name):
      defer { text = "" }
      try end(name)
    }
  }

  private mutating func end(_ name: String) throws(CodingError) {
    switch name {
    case "plist": return
    case "key":
      guard let top = stack.indices.last, stack[top].isDictionary, stack[top].key == nil else {
        throw scanner.fault("has a key outside of a dictionary")
      }
      stack[top].key = text
    case "dict", "array":
      guard let ended = stack.popLast(), ended.key == nil else {
        throw scanner.fault("has a key without a value")
      }
      if !ended.isDictionary {
        try add(.array(ended.elements))
      } else if ended.entries.count == 1, let number = ended.entries["CF$UID"]?.integer,
        let uid = Int(exactly: number), uid >= 0
      {
        try add(.uid(uid))
      } else {
        try add(.dictionary(ended.entries))
      }
    default:
      guard let value = Self.scalar(text, element: name) else {
        throw scanner.fault("has a <\(name)> that holds no such value")
      }
      try add(value)
    }
  }

  private mutating func add(_ value: PropertyList) throws(CodingError) {
    guard let top = stack.indices.last else {
      guard result == nil else { throw scanner.fault("holds two values") }
      result = value
      return
    }
    guard stack[top].isDictionary else { return stack[top].elements.append(value) }
    guard let key = stack[top].key,
      stack[top].entries.updateValue(value, forKey: key) == nil
    else { throw scanner.fault("has a value without a key, or a key twice") }
    stack[top].key = nil
  }

  private static func scalar(_ text: String, element: String) -> PropertyList? {
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
