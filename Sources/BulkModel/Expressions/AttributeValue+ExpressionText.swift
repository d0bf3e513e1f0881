import BulkPlatform

extension AttributeValue {
  /// The constant as text in an expression.
  ///
  /// A value without a literal becomes a `CAST` with the same meaning: dates as in Core Data, decimal
  /// numbers, UUIDs, URIs and binary data (in base 64) in the same manner.
  var expressionText: String {
    switch self {
    case .null: "nil"
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .integer(let number): "\(number)"
    case .double(let number) where number.isFinite: "\(number)"
    case .double(let number): Self.cast(Self.quoted("\(number)"), to: "NSNumber")
    case .decimal(let number): Self.cast(Self.quoted("\(number)"), to: "NSDecimalNumber")
    case .string(let string): Self.quoted(string)
    case .date(let seconds): Self.cast(AttributeValue.double(seconds).expressionText, to: "NSDate")
    case .binary(let bytes): Self.cast(Self.quoted(Data(bytes).base64EncodedString()), to: "NSData")
    case .uuid(let uuid): Self.cast(Self.quoted(uuid.uuidString), to: "NSUUID")
    case .uri(let uri): Self.cast(Self.quoted(uri), to: "NSURL")
    }
  }

  private static func cast(_ text: String, to type: String) -> String {
    "CAST(\(text), \"\(type)\")"
  }

  /// The string in quotation marks, with quotation marks and control characters escaped.
  static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        text += Identifier.escape(UTF16.CodeUnit(scalar.value))
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
