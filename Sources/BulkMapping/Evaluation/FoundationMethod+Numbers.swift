internal import BulkModel
internal import BulkPlatform

/// The methods of `NSNumber`, and those of `NSDecimalNumber`, which any number has.
extension FoundationMethod {
  static let number = ReceiverClass<Number>(
    isReceived: \.isNumber,
    receiver: \.number
  )

  static let numbers: [ExampleRow<FoundationMethod>] = [
    number("stringValue", gives: .text) { number, _ in .text(number.text) }
      .example("1.5", is: "'1.5'"),
    number("boolValue", gives: .boolean) { number, _ in .boolean(!number.isZero) }
      .example("2", is: "TRUE"),
    whole("shortValue", .int16),
    whole("intValue", .int32),
    whole("integerValue", .int64),
    whole("longLongValue", .int64),
    number("floatValue", gives: .double) { number, _ in .double(Double(Float(number.double))) }
      .example("0.1", is: "0.10000000149011612"),
    number("doubleValue", gives: .double) { number, _ in .double(number.double) }
      .example("2", is: "2.0"),
    number("decimalValue", gives: .decimal.orFailure) { .attribute(.decimal(try $1.decimal($0))) }
      .example("1.5", is: "CAST(1.5, 'NSDecimalNumber')"),
    number("isEqualToNumber:", .any, gives: .boolean) {
      $1.isFirstEqual(to: .attribute($0.value))
    }.example("2", "2.0", is: "TRUE"),
    number("compare:", .number, gives: .order) { .order($0.compare(try $1.number(0))) }
      .example("2", "1.5", is: "1"),
  ]

  /// A method that gives the number without its fraction, within a range.
  private static func whole(
    _ selector: String,
    _ range: ClosedRange<Int64>
  ) -> ExampleRow<FoundationMethod> {
    number(selector, gives: .integer(range).orFailure) { number, call in
      guard let whole = number.integer, range.contains(whole) else {
        throw call.failure(
          "gives \(range.lowerBound) to \(range.upperBound), and \(number.text) is outside"
        )
      }
      return .integer(whole)
    }.example("-1.5", is: "-1")
  }

  static let decimals: [ExampleRow<FoundationMethod>] = [
    decimal("decimalNumberByAdding:", .add, "0.2", is: "0.3"),
    decimal("decimalNumberBySubtracting:", .subtract, "0.3", is: "-0.2"),
    decimal("decimalNumberByMultiplyingBy:", .multiply, "3", is: "0.3"),
    decimal("decimalNumberByDividingBy:", .divide, "4", is: "0.025"),
    decimal("decimalNumberByRaisingToPower:", "2", is: "0.01") { decimal, call in
      .attribute(.decimal(try raised(decimal, try call.integer(0), call)))
    },
    decimal("decimalNumberByMultiplyingByPowerOf10:", "3", is: "100") { decimal, call in
      guard let power = Decimal(string: "1e\(try call.integer(0))", locale: nil), !power.isNaN
      else { throw call.decimalFailure }
      return try result(.multiply, decimal, power, in: call)
    },
  ]

  private static func decimal(
    _ selector: String,
    _ argument: String,
    is value: String,
    _ body: @escaping @Sendable (Decimal, MethodArguments) throws -> EvaluatedValue
  ) -> ExampleRow<FoundationMethod> {
    number(selector, .number, gives: .decimal.orFailure) { try body(try $1.decimal($0), $1) }
      .example(
        "CAST('0.1', 'NSDecimalNumber')",
        argument,
        is: "CAST('\(value)', 'NSDecimalNumber')"
      )
  }

  private static func decimal(
    _ selector: String,
    _ operation: ArithmeticOperation,
    _ argument: String,
    is value: String
  ) -> ExampleRow<FoundationMethod> {
    decimal(selector, argument, is: value) { decimal, call in
      let other = try call.decimal(try call.number(0))
      if operation == .divide, other.isZero { throw call.failure("divides by zero") }
      return try result(operation, decimal, other, in: call)
    }
  }

  private static func result(
    _ operation: ArithmeticOperation,
    _ first: Decimal,
    _ second: Decimal,
    in call: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let number = try? NumberArithmetic.result(of: operation, .decimal(first), .decimal(second))
    guard let number else { throw call.decimalFailure }
    return .attribute(number.value)
  }

  /// The power of a number by squaring.
  private static func raised(
    _ decimal: Decimal,
    _ power: Int64,
    _ call: MethodArguments
  ) throws(EvaluationFailure) -> Decimal {
    guard power >= 0 else { throw call.failure("takes an integer from 0, not \(power)") }
    var result = Decimal(1)
    var square = decimal
    var rest = power
    while rest > 0 {
      if !rest.isMultiple(of: 2) { result *= square }
      rest /= 2
      if rest > 0 { square *= square }
      guard !result.isNaN, !square.isNaN else { throw call.decimalFailure }
    }
    return result
  }
}

extension MethodArguments {
  fileprivate func decimal(_ number: Number) throws(EvaluationFailure) -> Decimal {
    guard let decimal = number.decimal else {
      throw failure("cannot hold \(number.text) in 38 digits")
    }
    return decimal
  }

  fileprivate var decimalFailure: EvaluationFailure {
    failure("has no decimal result that 38 digits can hold")
  }
}
