internal import BulkSupport
internal import BulkModel

extension Function {
  static let numbers: [Function] = [
    arithmetic(.add).example("1 + 2", is: "3"),
    arithmetic(.subtract).example("5 - 2", is: "3"),
    arithmetic(.multiply).example("2 * 3", is: "6"),
    arithmetic(.divide).example("10 / 4", is: "2"),
    binary("raise:toPower:", gives: \.power) { NumberArithmetic.power($0, $1) }
      .example("2 ** 10", is: "1024"),
    arithmetic(.modulus).example("modulus:by:(7, 3)", is: "1"),
    real("sqrt:") { $0.squareRoot() }.example("sqrt(16)", is: "4.0"),
    real("log:") { log10($0) }.example("log(1000)", is: "3.0"),
    real("ln:") { log($0) }.example("ln(1)", is: "0.0"),
    real("exp:") { exp($0) }.example("exp(0)", is: "1.0"),
    unary("abs:", gives: \.absolute, absolute).example("abs(-3)", is: "3"),
    rounding("floor:", .down).example("floor(-1.5)", is: "-2.0"),
    rounding("ceiling:", .up).example("ceiling(-1.5)", is: "-1.0"),
    rounding("trunc:", .towardZero).example("trunc(-1.5)", is: "-1.0"),
  ]

  private static func unary(
    _ selector: String,
    gives typing: @escaping @Sendable (FunctionOperands) -> FunctionResult,
    _ operation: @escaping @Sendable (Number) throws -> Number
  ) -> Function {
    Function(selector, [.numbers], gives: typing) { value, _ in
      guard !value.isNull else { return .null }
      return .attribute(try operation(try value.number(for: selector)).value)
    }
  }

  private static func binary(
    _ selector: String,
    gives typing: @escaping @Sendable (FunctionOperands) -> FunctionResult,
    _ operation: @escaping @Sendable (Number, Number) throws -> Number
  ) -> Function {
    Function(selector, [.numbers, .numbers], gives: typing) { first, arguments in
      let second = arguments.first
      guard !first.isNull, !second.isNull else { return .null }
      let left = try first.number(for: selector)
      return .attribute(try operation(left, try second.number(for: selector)).value)
    }
  }

  private static func arithmetic(_ operation: ArithmeticOperation) -> Function {
    binary(operation.rawValue, gives: { $0.arithmetic(operation) }) {
      try NumberArithmetic.result(of: operation, $0, $1)
    }
  }

  private static func real(
    _ selector: String,
    _ operation: @escaping @Sendable (Double) -> Double
  ) -> Function {
    unary(selector, gives: { _ in FunctionResult(type: .double) }) {
      .double(operation($0.double))
    }
  }

  @Sendable
  private static func absolute(_ number: Number) throws(EvaluationFailure) -> Number {
    switch number {
    case .integer(let whole):
      guard whole != .min else { throw .overflow("abs:") }
      return .integer(abs(whole))
    case .double(let value): return .double(abs(value))
    case .decimal(let value): return .decimal(abs(value))
    }
  }

  private static func rounding(
    _ selector: String,
    _ rule: FloatingPointRoundingRule
  ) -> Function {
    unary(selector, gives: { $0.single($0.types[0]) }) { number in
      switch number {
      case .integer: return number
      case .double(let value): return .double(value.rounded(rule))
      case .decimal(let value):
        guard let whole = Number.truncated(value) else {
          throw EvaluationFailure.decimal(selector)
        }
        if whole < value, rule == .up { return .decimal(whole + 1) }
        if whole > value, rule == .down { return .decimal(whole - 1) }
        return .decimal(whole)
      }
    }
  }
}

/// The functions of the bits of integers; shifts by 64 or more places behave as in Swift.
extension Function {
  static let bits: [Function] = [
    integers("bitwiseAnd:with:") { $0 & $1 }.example("bitwiseAnd:with:(12, 10)", is: "8"),
    integers("bitwiseOr:with:") { $0 | $1 }.example("bitwiseOr:with:(12, 10)", is: "14"),
    integers("bitwiseXor:with:") { $0 ^ $1 }.example("bitwiseXor:with:(12, 10)", is: "6"),
    integers("leftshift:by:") { $0 << $1 }.example("leftshift:by:(1, 4)", is: "16"),
    integers("rightshift:by:") { $0 >> $1 }.example("rightshift:by:(16, 2)", is: "4"),
    Function("onesComplement:", [.integers], gives: \.bits) { value, _ in
      value.isNull ? .null : .integer(~(try value.wholeNumber(for: "onesComplement:")))
    }.example("onesComplement:(0)", is: "-1"),
  ]

  private static func integers(
    _ selector: String,
    _ operation: @escaping @Sendable (Int64, Int64) -> Int64
  ) -> Function {
    Function(selector, [.integers, .integers], gives: \.bits) { first, arguments in
      let second = arguments.first
      guard !first.isNull, !second.isNull else { return .null }
      let left = try first.wholeNumber(for: selector)
      return .integer(operation(left, try second.wholeNumber(for: selector)))
    }
  }
}

extension Function {
  static let texts: [Function] = [
    text("uppercase:", gives: .string) { .string(TextFunction.uppercase.result(for: $0)) }
      .example("uppercase('Abc')", is: "'ABC'"),
    text("lowercase:", gives: .string) { .string(TextFunction.lowercase.result(for: $0)) }
      .example("lowercase('Abc')", is: "'abc'"),
    text("canonical:", gives: .string) { .string(TextFunction.canonical.result(for: $0)) }
      .example("canonical:('Été')", is: "'ete'"),
    length,
  ]

  static let length = text("length:", gives: .count) { .integer(Int64($0.utf16.count)) }
    .example("length('Abc')", is: "3")

  private static func text(
    _ selector: String,
    gives type: ExpressionType,
    _ operation: @escaping @Sendable (String) -> AttributeValue
  ) -> Function {
    Function(selector, [.text], gives: { $0.single(type) }) { value, _ in
      guard !value.isNull else { return .null }
      guard let text = value.string else {
        throw EvaluationFailure("\(selector) takes a string, not \(value.kind)")
      }
      return .attribute(operation(text))
    }
  }
}

extension EvaluatedValue {
  /// The value as an operand of a function.
  func number(for selector: String) throws(EvaluationFailure) -> Number {
    guard let number else { throw EvaluationFailure("\(selector) takes numbers, not \(kind)") }
    return number
  }

  fileprivate func wholeNumber(for selector: String) throws(EvaluationFailure) -> Int64 {
    guard case .integer(let number) = try number(for: selector) else {
      throw EvaluationFailure("\(selector) takes integers, not \(kind)")
    }
    return number
  }
}
