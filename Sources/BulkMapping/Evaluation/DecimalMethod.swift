internal import BulkModel
internal import BulkPlatform

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
  static func receiver(_ value: EvaluatedValue) -> Number? { NumberMethod.receiver(value) }

  func isReceived(by type: ExpressionType) -> Bool { type.isNumber }

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
    _ operation: NumberArithmetic.Operation,
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
    _ operation: NumberArithmetic.Operation,
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
