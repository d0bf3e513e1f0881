internal import BulkModel
internal import BulkPlatform

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

/// The methods of `NSDecimalNumber`, which any number has.
enum DecimalMethod: String, Hashable, Sendable, CaseIterable {
  case adding = "decimalNumberByAdding:"
  case subtracting = "decimalNumberBySubtracting:"
  case multiplying = "decimalNumberByMultiplyingBy:"
  case dividing = "decimalNumberByDividingBy:"
  case raising = "decimalNumberByRaisingToPower:"
  case shifting = "decimalNumberByMultiplyingByPowerOf10:"
}

extension DecimalMethod: ReceiverMethod {
  var rule: MethodRule {
    switch self {
    case .adding: rule("0.2", "0.3")
    case .subtracting: rule("0.3", "-0.2")
    case .multiplying: rule("3", "0.3")
    case .dividing: rule("4", "0.025")
    case .raising: rule("2", "0.01")
    case .shifting: rule("3", "100")
    }
  }

  private func rule(_ argument: String, _ value: String) -> MethodRule {
    MethodRule(
      .number,
      gives: .type(.decimal),
      mayFail: true,
      of: "CAST('0.1', 'NSDecimalNumber')",
      with: argument,
      is: "CAST('\(value)', 'NSDecimalNumber')"
    )
  }

  func value(
    of number: Number,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let decimal = try Self.decimal(number, rawValue)
    switch self {
    case .adding: return try result(.add, decimal, arguments)
    case .subtracting: return try result(.subtract, decimal, arguments)
    case .multiplying: return try result(.multiply, decimal, arguments)
    case .dividing: return try result(.divide, decimal, arguments)
    case .raising: return try raised(decimal, try arguments.integer(0))
    case .shifting:
      guard let power = Decimal(string: "1e\(try arguments.integer(0))", locale: nil),
        !power.isNaN
      else { throw failure }
      return try result(.multiply, decimal, .decimal(power))
    }
  }

  /// A number as a decimal number.
  static func decimal(
    _ number: Number,
    _ selector: String
  ) throws(EvaluationFailure) -> Decimal {
    guard let decimal = number.decimal else {
      throw EvaluationFailure("\(selector) cannot hold \(number.text) in 38 digits")
    }
    return decimal
  }

  private var failure: EvaluationFailure {
    EvaluationFailure("\(rawValue) has no decimal result that 38 digits can hold")
  }

  private func result(
    _ operation: ArithmeticOperation,
    _ decimal: Decimal,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let other = try Self.decimal(try arguments.number(0), rawValue)
    if operation == .divide, other.isZero {
      throw EvaluationFailure("\(rawValue) divides by zero")
    }
    return try result(operation, decimal, .decimal(other))
  }

  private func result(
    _ operation: ArithmeticOperation,
    _ decimal: Decimal,
    _ other: Number
  ) throws(EvaluationFailure) -> EvaluatedValue {
    do throws(EvaluationFailure) {
      return .attribute(try NumberArithmetic.result(of: operation, .decimal(decimal), other).value)
    } catch {
      throw failure
    }
  }

  /// The power of a number by squaring.
  private func raised(
    _ decimal: Decimal,
    _ power: Int64
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard power >= 0 else {
      throw EvaluationFailure("\(rawValue) takes an integer from 0, not \(power)")
    }
    var result = Decimal(1)
    var square = decimal
    var rest = power
    while rest > 0 {
      if !rest.isMultiple(of: 2) { result *= square }
      rest /= 2
      if rest > 0 { square *= square }
      guard !result.isNaN, !square.isNaN else { throw failure }
    }
    return .attribute(.decimal(result))
  }
}
