package import BulkSupport
package import BulkModel

/// Plain values in the JSON of a mapping file; a value without JSON type is an object with one entry.
extension AttributeValue {
  /// The forms, for messages.
  static let jsonForms =
    "write a text, a number, true, false, null, or an object of one entry date (seconds since 2001), "
    + "decimal, data (base 64), uuid or uri"

  /// The value of a JSON number: an integer, or one with a fraction or an exponent.
  init?(jsonNumber digits: String) {
    if let number = Int64(digits) {
      self = .integer(number)
    } else {
      let isWhole = digits.utf8.allSatisfy {
        $0 == UInt8(ascii: "-") || $0 < UInt8(ascii: ":") && $0 >= UInt8(ascii: "0")
      }
      guard !isWhole, let number = Double(digits), number.isFinite else { return nil }
      self = .double(number)
    }
  }

  package init?(json value: JSONValue) {
    switch value.content {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .number(let digits): self.init(jsonNumber: digits)
    case .string(let text): self = .string(text)
    case .array: return nil
    case .object(let members):
      guard members.count == 1, let value = Self.value(of: members[0]) else { return nil }
      self = value
    }
  }

  private static func value(of entry: JSONMember) -> AttributeValue? {
    switch (entry.name, entry.value.content) {
    case ("date", .number(let digits)): Double(digits).flatMap { $0.isFinite ? .date($0) : nil }
    case ("decimal", .string(let text)):
      // `Decimal` ignores trailing characters; JSON numbers have none.
      (try? JSONDocument(Array(text.utf8)))?.root.content == .number(text)
        ? Decimal(string: text).map { .decimal($0) } : nil
    case ("data", .string(let text)): Data(base64Encoded: text).map { .binary(Array($0)) }
    case ("uuid", .string(let text)): UUID(uuidString: text).map { .uuid($0) }
    case ("uri", .string(let text)): .uri(text)
    default: nil
    }
  }

  /// Encodes the value as JSON; `nil` for numbers that are not finite.
  package var json: String? {
    switch self {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .double(let number): number.isFinite ? "\(number)" : nil
    case .decimal(let number): number.isNaN ? nil : "{ \"decimal\": \"\(number)\" }"
    case .string(let text): JSONText.quoted(text)
    case .date(let seconds): seconds.isFinite ? "{ \"date\": \(seconds) }" : nil
    case .binary(let bytes): "{ \"data\": \"\(Data(bytes).base64EncodedString())\" }"
    case .uuid(let uuid): "{ \"uuid\": \"\(uuid.uuidString)\" }"
    case .uri(let uri): "{ \"uri\": \(JSONText.quoted(uri)) }"
    }
  }
}

extension AttributeType {
  /// Why a constant is not a value of the type, as a phrase for the middle of a sentence.
  package func objection(to value: AttributeValue) -> String? {
    if value == .null || isOpen { return nil }
    if case .integer(let number) = value, let range = integerRange {
      return range.contains(number) ? nil : "is too large for an attribute"
    }
    let isRight = isNumber ? value.kind?.isNumber == true : value.kind == kind
    return isRight ? nil : "is not a value for an attribute"
  }
}
