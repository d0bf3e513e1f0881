internal import BulkModel
internal import Foundation

/// Operations on numbers.
///
/// Integers stay integers, and division then drops the fraction; a decimal number makes the result
/// decimal; everything else is reckoned in doubles.
enum NumberArithmetic {
  /// The result of an operation on two numbers.
  static func result(
    of function: ExpressionFunction,
    _ first: Number,
    _ second: Number
  ) throws(EvaluationFailure) -> Number {
    switch (first, second) {
    case (.integer(let first), .integer(let second)):
      return .integer(try integers(function, first, second))
    case (.decimal, _), (_, .decimal):
      guard let first = first.decimal, let second = second.decimal else {
        throw .decimal(function)
      }
      return .decimal(try decimals(function, first, second))
    default: return .double(doubles(function, first.double, second.double))
    }
  }

  /// The power of a number: an integer where both are, as long as it fits.
  static func power(_ base: Number, _ exponent: Number) -> Number {
    if case (.integer(let base), .integer(let exponent)) = (base, exponent), exponent >= 0,
      let result = wholePower(base, exponent)
    {
      return .integer(result)
    }
    return .double(pow(base.double, exponent.double))
  }

  private static func wholePower(_ base: Int64, _ exponent: Int64) -> Int64? {
    if exponent == 0 || base == 1 { return 1 }
    if base == 0 { return 0 }
    if base == -1 { return exponent.isMultiple(of: 2) ? 1 : -1 }
    // Any other base is out of 64 bits by then.
    guard exponent < 64 else { return nil }
    var result: Int64 = 1
    for _ in 0..<exponent {
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      guard !overflow else { return nil }
      result = product
    }
    return result
  }

  private static func integers(
    _ function: ExpressionFunction,
    _ first: Int64,
    _ second: Int64
  ) throws(EvaluationFailure) -> Int64 {
    let (result, overflow): (Int64, Bool)
    switch function {
    case .add: (result, overflow) = first.addingReportingOverflow(second)
    case .subtract: (result, overflow) = first.subtractingReportingOverflow(second)
    case .multiply: (result, overflow) = first.multipliedReportingOverflow(by: second)
    case .modulus where second == -1: return 0
    case .divide, .modulus:
      guard second != 0 else { throw EvaluationFailure("\(function.rawValue) divides by zero") }
      (result, overflow) =
        function == .divide
        ? first.dividedReportingOverflow(by: second)
        : first.remainderReportingOverflow(dividingBy: second)
    default: return 0
    }
    guard !overflow else { throw .overflow(function) }
    return result
  }

  private static func doubles(
    _ function: ExpressionFunction,
    _ first: Double,
    _ second: Double
  ) -> Double {
    switch function {
    case .add: first + second
    case .subtract: first - second
    case .multiply: first * second
    case .divide: first / second
    default: fmod(first, second)
    }
  }

  private static func decimals(
    _ function: ExpressionFunction,
    _ first: Decimal,
    _ second: Decimal
  ) throws(EvaluationFailure) -> Decimal {
    let isDivision = function == .divide || function == .modulus
    guard !isDivision || !second.isZero else {
      throw EvaluationFailure("\(function.rawValue) divides by zero")
    }
    let result: Decimal
    switch function {
    case .add: result = first + second
    case .subtract: result = first - second
    case .multiply: result = first * second
    case .divide: result = first / second
    default:
      guard let whole = Number.truncated(first / second) else { throw .decimal(function) }
      result = first - whole * second
    }
    guard !result.isNaN else { throw .decimal(function) }
    return result
  }
}
