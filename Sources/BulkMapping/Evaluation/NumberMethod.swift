internal import BulkModel

/// The methods of `NSNumber`.
enum NumberMethod: String, Hashable, Sendable, CaseIterable {
  case string = "stringValue"
  case bool = "boolValue"
  case short = "shortValue"
  case int = "intValue"
  case integer = "integerValue"
  case longLong = "longLongValue"
  case float = "floatValue"
  case double = "doubleValue"
  case decimal = "decimalValue"
  case isEqual = "isEqualToNumber:"
  case compare = "compare:"
}

extension NumberMethod: ReceiverMethod {
  static func receiver(_ value: EvaluatedValue) -> Number? {
    if case .attribute(let value) = value { Number(value) } else { nil }
  }

  func isReceived(by type: ExpressionType) -> Bool { type.isNumber }

  var rule: MethodRule {
    switch self {
    case .string: MethodRule(gives: .type(.string), of: "1.5", is: "'1.5'")
    case .bool: MethodRule(gives: .type(.boolean), of: "2", is: "TRUE")
    case .short: integer(Int64(Int16.min)...Int64(Int16.max))
    case .int: integer(Int64(Int32.min)...Int64(Int32.max))
    case .integer, .longLong: integer(.min ... .max)
    case .float: MethodRule(gives: .type(.double), of: "0.1", is: "0.10000000149011612")
    case .double: MethodRule(gives: .type(.double), of: "2", is: "2.0")
    case .decimal:
      MethodRule(
        gives: .type(.decimal),
        mayFail: true,
        of: "1.5",
        is: "CAST(1.5, 'NSDecimalNumber')"
      )
    case .isEqual: MethodRule(.any, gives: .type(.boolean), of: "2", with: "2.0", is: "TRUE")
    case .compare: MethodRule(.number, gives: .type(.order), of: "2", with: "1.5", is: "1")
    }
  }

  private func integer(_ range: ClosedRange<Int64>) -> MethodRule {
    MethodRule(gives: .type(.integer(range)), mayFail: true, of: "-1.5", is: "-1")
  }

  func value(
    of number: Number,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch self {
    case .string: .text(number.text)
    case .bool: .boolean(!number.isZero)
    case .short: try whole(number, Int64(Int16.min)...Int64(Int16.max))
    case .int: try whole(number, Int64(Int32.min)...Int64(Int32.max))
    case .integer, .longLong: try whole(number, .min ... .max)
    case .float: .attribute(Number.double(Double(Float(number.double))).value)
    case .double: .attribute(Number.double(number.double).value)
    case .decimal: .attribute(.decimal(try DecimalMethod.decimal(number, rawValue)))
    case .isEqual: .boolean(arguments.values[0].isEqual(to: .attribute(number.value)))
    case .compare: .order(number.compare(try arguments.number(0)))
    }
  }

  /// The number without its fraction.
  private func whole(
    _ number: Number,
    _ range: ClosedRange<Int64>
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard let whole = number.integer, range.contains(whole) else {
      throw EvaluationFailure(
        "\(rawValue) gives \(range.lowerBound) to \(range.upperBound), and \(number.text) is outside"
      )
    }
    return .integer(whole)
  }
}
