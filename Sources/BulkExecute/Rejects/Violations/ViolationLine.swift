internal import BulkCoding
internal import BulkStore

/// A violation as a line of the report holds it, in JSON.
///
/// Lines are written and read by the hundred thousand, so no coder goes through them name by name. Names are in the
/// order of their code units; those without a value are left out.
enum ViolationLine {
  static let beginning = "{\"entity\":"

  /// Without its end.
  static func text(_ violation: Violation) -> String {
    let origin = violation.origin
    let members: [(name: String, value: String?)] = [
      ("entity", JSONText.quoted(violation.entity)),
      ("key", String(violation.key)),
      ("mapping", origin.map { JSONText.quoted($0.mapping) }),
      ("property", JSONText.quoted(violation.property)),
      ("rule", JSONText.quoted(violation.rule)),
      ("sourceEntity", origin.map { JSONText.quoted($0.entity) }),
      ("sourceKey", origin.map { String($0.key) }),
      ("value", violation.value.map { JSONText.quoted($0) }),
    ]
    let present = members.compactMap { member in member.value.map { "\"\(member.name)\":\($0)" } }
    return "{\(present.joined(separator: ","))}"
  }

  /// `nil` if the line has none.
  static func violation(in line: some Sequence<UInt8>) -> Violation? {
    let bytes = Array(line)
    if let plain = PlainLine.violation(in: bytes) { return plain }
    guard let document = try? JSONDocument(bytes),
      case .object(let members) = document.root.content
    else { return nil }
    var texts: [String: String] = [:]
    var numbers: [String: Int64] = [:]
    for member in members {
      switch member.value.content {
      case .string(let text): texts[member.name] = text
      case .number(let digits): numbers[member.name] = Int64(digits)
      case .null, .boolean, .array, .object: break
      }
    }
    guard let entity = texts["entity"], let key = numbers["key"], let rule = texts["rule"],
      let property = texts["property"]
    else { return nil }
    var origin: ObjectOrigin?
    if let mapping = texts["mapping"], let source = texts["sourceEntity"],
      let sourceKey = numbers["sourceKey"]
    {
      origin = ObjectOrigin(mapping: mapping, entity: source, key: sourceKey)
    }
    return Violation(
      entity: entity,
      key: key,
      origin: origin,
      property: property,
      rule: rule,
      value: texts["value"]
    )
  }
}

/// Reads a line as ``ViolationLine/text(_:)`` writes it, in which nothing is escaped.
private struct PlainLine {
  private let bytes: [UInt8]
  private var place = 0

  /// `nil` if the line is written in another way.
  static func violation(in bytes: [UInt8]) -> Violation? {
    var line = PlainLine(bytes: bytes)
    guard line.take(ViolationLine.beginning), let entity = line.text(), line.take(",\"key\":"),
      let key = line.number()
    else { return nil }
    var mapping: String?
    if line.take(",\"mapping\":") {
      guard let text = line.text() else { return nil }
      mapping = text
    }
    guard line.take(",\"property\":"), let property = line.text(), line.take(",\"rule\":"),
      let rule = line.text()
    else { return nil }
    var origin: ObjectOrigin?
    if let mapping {
      guard line.take(",\"sourceEntity\":"), let source = line.text(),
        line.take(",\"sourceKey\":"), let sourceKey = line.number()
      else { return nil }
      origin = ObjectOrigin(mapping: mapping, entity: source, key: sourceKey)
    }
    var value: String?
    if line.take(",\"value\":") {
      guard let text = line.text() else { return nil }
      value = text
    }
    guard line.take("}"), line.place == bytes.count else { return nil }
    return Violation(
      entity: entity,
      key: key,
      origin: origin,
      property: property,
      rule: rule,
      value: value
    )
  }

  private mutating func take(_ text: String) -> Bool {
    var next = place
    for byte in text.utf8 {
      guard next < bytes.count, bytes[next] == byte else { return false }
      next += 1
    }
    place = next
    return true
  }

  private mutating func text() -> String? {
    guard take("\"") else { return nil }
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      guard bytes[place] != UInt8(ascii: "\\") else { return nil }
      place += 1
    }
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return String(validating: bytes[start..<place], as: UTF8.self)
  }

  private mutating func number() -> Int64? {
    let start = place
    while place < bytes.count, bytes[place] == UInt8(ascii: "-") || (48...57).contains(bytes[place])
    {
      place += 1
    }
    return Int64(String(decoding: bytes[start..<place], as: UTF8.self))
  }
}
