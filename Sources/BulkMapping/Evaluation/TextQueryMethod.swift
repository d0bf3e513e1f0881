internal import BulkModel

/// The methods of `NSString` that return something about a text.
enum TextQueryMethod: String, Hashable, Sendable, CaseIterable {
  case length
  case unit = "characterAtIndex:"
  case begins = "hasPrefix:"
  case ends = "hasSuffix:"
  case contains = "containsString:"
  case range = "rangeOfString:"
  case isEqual = "isEqualToString:"
  case compare = "compare:"
  case caseInsensitiveCompare = "caseInsensitiveCompare:"
  case int = "intValue"
  case integer = "integerValue"
  case longLong = "longLongValue"
  case double = "doubleValue"
  case float = "floatValue"
  case bool = "boolValue"
  case data = "dataUsingEncoding:"
}

extension TextQueryMethod: ReceiverMethod {
  var rule: MethodRule {
    switch self {
    case .length: MethodRule(gives: .type(.count), of: "'Abc'", is: "3")
    case .unit:
      MethodRule(
        .integer,
        gives: .type(.integer(0...0xFFFF)),
        mayFail: true,
        of: "'Abc'",
        with: "0",
        is: "65"
      )
    case .begins: question("'Abc'", "'A'")
    case .ends: question("'Abc'", "'bc'")
    case .contains: question("'Abc'", "'b'")
    case .range:
      MethodRule(
        .text,
        gives: .type(.collection(of: .count)),
        of: "'Abcd'",
        with: "'bc'",
        is: "{1, 2}"
      )
    case .isEqual:
      MethodRule(.any, gives: .type(.boolean), of: "'Abc'", with: "'Abc'", is: "TRUE")
    case .compare:
      MethodRule(.text, gives: .type(.order), of: "'Abc'", with: "'Abd'", is: "-1")
    case .caseInsensitiveCompare:
      MethodRule(.text, gives: .type(.order), of: "'Abc'", with: "'ABC'", is: "0")
    case .int:
      MethodRule(
        gives: .type(.integer(Int64(Int32.min)...Int64(Int32.max))),
        of: "'12 m'",
        is: "12"
      )
    case .integer, .longLong:
      MethodRule(gives: .type(.integer(.min ... .max)), of: "'12 m'", is: "12")
    case .double, .float: MethodRule(gives: .type(.double), of: "'1.5 m'", is: "1.5")
    case .bool: MethodRule(gives: .type(.boolean), of: "'Yes'", is: "TRUE")
    case .data:
      MethodRule(
        .integer,
        gives: .type(.binary),
        mayFail: true,
        of: "'Abc'",
        with: "4",
        is: "CAST('QWJj', 'NSData')"
      )
    }
  }

  private func question(_ receiver: String, _ argument: String) -> MethodRule {
    MethodRule(.text, gives: .type(.boolean), of: receiver, with: argument, is: "TRUE")
  }

  func value(
    of text: String,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch self {
    case .length: return .integer(Int64(text.utf16.count))
    case .unit: return .integer(Int64(try TextUnits(text, rawValue).unit(at: arguments.integer(0))))
    case .begins: return .boolean(try search(arguments).begins(text))
    case .ends: return .boolean(try search(arguments).ends(text))
    case .contains:
      return .boolean(try search(arguments).range(in: text, from: text.startIndex) != nil)
    case .range: return try range(in: text, arguments)
    case .isEqual: return .boolean(arguments.values[0].isEqual(to: .text(text)))
    case .compare: return .order(TextOrder(.compare).compare(text, try arguments.text(0)))
    case .caseInsensitiveCompare:
      return .order(TextOrder(.caseInsensitive).compare(text, try arguments.text(0)))
    case .int:
      let number = WrittenNumber(text).integer
      return .integer(min(max(number, Int64(Int32.min)), Int64(Int32.max)))
    case .integer, .longLong: return .integer(WrittenNumber(text).integer)
    case .double: return .attribute(.double(WrittenNumber(text).double))
    case .float: return .attribute(.double(Double(Float(WrittenNumber(text).double))))
    case .bool: return .boolean(WrittenNumber(text).isTrue)
    case .data: return .attribute(.binary(try bytes(of: text, arguments)))
    }
  }

  private func search(_ arguments: MethodArguments) throws(EvaluationFailure) -> CanonicalSearch {
    CanonicalSearch(try arguments.text(0), arguments.memory.watch)
  }

  /// The location and the length of the first place; `NSNotFound` and 0 if there is none.
  private func range(
    in text: String,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let units = TextUnits(text, rawValue)
    guard let found = try search(arguments).range(in: text, from: text.startIndex) else {
      return .collection(ValueCollection(.array, [.integer(.max), .integer(0)]))
    }
    let start = units.offset(of: found.lowerBound)
    let length = units.offset(of: found.upperBound) - start
    return .collection(ValueCollection(.array, [.integer(start), .integer(length)]))
  }

  private func bytes(
    of text: String,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> [UInt8] {
    let encoding = try arguments.integer(0)
    guard encoding == Self.utf8 else {
      throw EvaluationFailure("\(rawValue) knows 4, NSUTF8StringEncoding, and not \(encoding)")
    }
    try arguments.memory.take(text.utf8.count, rawValue)
    return Array(text.utf8)
  }

  /// `NSUTF8StringEncoding`.
  private static let utf8: Int64 = 4
}

extension EvaluatedValue {
  /// Whether `isEqual:` holds: numbers by value, texts by code unit, objects by identity.
  func isEqual(to other: EvaluatedValue) -> Bool {
    guard !isNull, !other.isNull else { return false }
    return ValueComparison(TextComparing()).isEqual(self, other)
  }
}
