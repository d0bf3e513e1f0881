internal import BulkSupport
internal import BulkMapping
internal import BulkModel

/// Attribute values in the lines to and from a policy's program (Plans/schemas/policy.schema.json).
///
/// Integers and doubles are numbers of JSON, decimals are texts of all their digits, dates are ISO 8601 in UTC with a
/// fraction, bytes are base 64. No value loses a digit on its way there and back.
enum PolicyValue {
  static func json(_ value: AttributeValue) -> String {
    switch value {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .double(let number): number.isFinite ? "\(number)" : "\"\(number)\""
    case .decimal(let number): "\"\(number)\""
    case .string(let text), .uri(let text): JSONText.quoted(text)
    case .date(let seconds): DateText.text(of: seconds).map { "\"\($0)\"" } ?? "\(seconds)"
    case .binary(let bytes): "\"\(Data(bytes).base64EncodedString())\""
    case .uuid(let id): "\"\(id.uuidString)\""
    }
  }

  /// The JSON of a value that says its type where JSON does not: `{"date": "2024-05-01T12:00:00Z"}`.
  static func tagged(_ value: AttributeValue) -> String {
    switch value {
    case .null, .boolean, .integer, .double, .string: json(value)
    case .decimal: "{\"decimal\":\(json(value))}"
    case .date: "{\"date\":\(json(value))}"
    case .binary: "{\"data\":\(json(value))}"
    case .uuid: "{\"uuid\":\(json(value))}"
    case .uri: "{\"uri\":\(json(value))}"
    }
  }

  /// Throws ``PolicyError`` if it is none of the type.
  static func value(_ json: JSONValue, as type: AttributeType) throws(PolicyError) -> AttributeValue
  {
    if case .null = json.content { return .null }
    guard let kind = type.kind, let value = value(json.content, as: kind) else {
      throw PolicyError("\(shown(json)) is not of type \(type.name)")
    }
    if case .integer(let number) = value, let range = type.integerRange, !range.contains(number) {
      throw PolicyError("\(number) is not of type \(type.name)")
    }
    return value
  }

  /// Throws ``PolicyError`` for an unknown tag, and for a value that is none of its type.
  static func taggedValue(_ json: JSONValue) throws(PolicyError) -> AttributeValue {
    switch json.content {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .string(let text): return .string(text)
    case .number(let text):
      if let number = Int64(text) { return .integer(number) }
      if let number = Double(text), number.isFinite { return .double(number) }
    case .object(let members):
      let types: [String: AttributeType] = [
        "decimal": .decimal, "date": .date, "data": .binaryData, "uuid": .uuid, "uri": .uri,
        "double": .double,
      ]
      if members.count == 1, let type = types[members[0].name] {
        return try value(members[0].value, as: type)
      }
    case .array: break
    }
    throw PolicyError("\(shown(json)) is not a value")
  }

  private static func value(
    _ content: JSONValue.Content,
    as kind: AttributeValue.Kind
  ) -> AttributeValue? {
    switch (kind, content) {
    case (.boolean, .boolean(let flag)): .boolean(flag)
    case (.boolean, .number("0")): .boolean(false)
    case (.boolean, .number("1")): .boolean(true)
    case (.integer, .number(let text)): Int64(text).map { .integer($0) }
    case (.double, .number(let text)): Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    case (.double, .string(let text)):
      ["nan", "inf", "-inf"].contains(text) ? Double(text).map { .double($0) } : nil
    case (.decimal, .number(let text)), (.decimal, .string(let text)):
      CastText.decimal(text).map { .decimal($0) }
    case (.string, .string(let text)): .string(text)
    case (.uri, .string(let text)): .uri(text)
    case (.date, .number(let text)): Double(text).flatMap { $0.isFinite ? .date($0) : nil }
    case (.date, .string(let text)): DateText.seconds(of: text).map { .date($0) }
    case (.binary, .string(let text)): Data(base64Encoded: text).map { .binary(Array($0)) }
    case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0) }
    default: nil
    }
  }

  static func shown(_ json: JSONValue) -> String {
    switch json.content {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .number(let text): text.truncated(to: 40)
    case .string(let text): JSONText.quoted(text.truncated(to: 40))
    case .array, .object: json.kind
    }
  }
}

extension JSONValue {
  func members(of name: String) throws(PolicyError) -> [JSONMember] {
    guard let members else { throw PolicyError("\"\(name)\" is \(kind), not an object") }
    return members
  }

  func elements(of name: String) throws(PolicyError) -> [JSONValue] {
    guard case .array(let elements) = content else {
      throw PolicyError("\"\(name)\" is \(kind), not an array")
    }
    return elements
  }

  func text(of name: String) throws(PolicyError) -> String {
    guard let string else { throw PolicyError("\"\(name)\" is \(kind), not a text") }
    return string
  }

  func refuseMembers(
    of subject: String,
    except known: Set<String>,
    instead: String = "an object"
  ) throws(PolicyError) {
    guard let members else { throw PolicyError("\(subject) is \(kind), not \(instead)") }
    for member in members where !known.contains(member.name) {
      throw PolicyError("\(subject) has a member \"\(member.name)\", which means nothing")
    }
  }
}

/// Dates as ISO 8601 in UTC, with as many digits of a fraction as the date has.
package enum DateText {
  /// The text of seconds since 2001-01-01 00:00:00 UTC.
  ///
  /// `nil` for a date that is not between the years 1 and 9999, or whose fraction no text says.
  package static func text(of seconds: Double) -> String? {
    guard (-63_113_904_000..<252_423_993_600).contains(seconds) else { return nil }
    let whole = seconds.rounded(.down)
    guard let fraction = fraction(of: seconds, whole) else { return nil }
    let text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
    return text.dropLast() + fraction + "Z"
  }

  /// The seconds of a text; `nil` if it is not a date.
  ///
  /// Without an offset it is in UTC.
  static func seconds(of text: String) -> Double? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = parts.count == 1 ? "" : parts[1].prefix { ("0"..."9").contains($0) }
    guard parts.count == 1 || !digits.isEmpty, parts[0].utf8.count >= 19,
      let fraction = Double("0.\(digits)0")
    else { return nil }
    var plain = String(parts[0]) + (parts.count == 1 ? "" : parts[1].dropFirst(digits.count))
    if plain.utf8.count == 19 { plain += "Z" }
    guard let date = try? Date(plain, strategy: .iso8601) else { return nil }
    return date.timeIntervalSinceReferenceDate + fraction
  }

  /// The digits after the seconds, with the point; `nil` if none say the date exactly.
  private static func fraction(of seconds: Double, _ whole: Double) -> String? {
    let part = seconds - whole
    if part == 0 { return "" }
    for (digits, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
      let text = String(Int64((part * scale).rounded()))
      let padded = "." + String(repeating: "0", count: max(0, digits - text.count)) + text
      guard text.count <= digits, let value = Double("0" + padded) else { continue }
      if whole + value == seconds { return padded }
    }
    let text = "\(part)"
    return text.hasPrefix("0.") && !text.contains("e") ? String(text.dropFirst()) : nil
  }
}
