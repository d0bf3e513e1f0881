internal import BulkSupport

/// Arithmetic on numbers.
///
/// Integers stay integers, and their division truncates; a decimal operand makes the result decimal; all
/// other operations use doubles.
enum NumberArithmetic {
  static func result(
    of operation: ArithmeticOperation,
    _ first: Number,
    _ second: Number
  ) throws(EvaluationFailure) -> Number {
    switch (first, second) {
    case (.integer(let first), .integer(let second)):
      return .integer(try integers(operation, first, second))
    case (.decimal, _), (_, .decimal):
      guard let first = first.decimal, let second = second.decimal else {
        throw .decimal(operation.rawValue)
      }
      return .decimal(try decimals(operation, first, second))
    case (.double, _), (_, .double):
      return .double(doubles(operation, first.double, second.double))
    }
  }

  /// The power of a number: an integer if both operands are integers and the result fits.
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
    // Any other base exceeds 64 bits by then.
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
    _ operation: ArithmeticOperation,
    _ first: Int64,
    _ second: Int64
  ) throws(EvaluationFailure) -> Int64 {
    guard !operation.divides || second != 0 else { throw .division(operation.rawValue) }
    let (result, overflow) = operation.reportingOverflow(first, second)
    guard !overflow else { throw .overflow(operation.rawValue) }
    return result
  }

  private static func doubles(
    _ operation: ArithmeticOperation,
    _ first: Double,
    _ second: Double
  ) -> Double {
    switch operation {
    case .add: first + second
    case .subtract: first - second
    case .multiply: first * second
    case .divide: first / second
    case .modulus: fmod(first, second)
    }
  }

  private static func decimals(
    _ operation: ArithmeticOperation,
    _ first: Decimal,
    _ second: Decimal
  ) throws(EvaluationFailure) -> Decimal {
    guard !operation.divides || !second.isZero else { throw .division(operation.rawValue) }
    let result: Decimal
    switch operation {
    case .add: result = first + second
    case .subtract: result = first - second
    case .multiply: result = first * second
    case .divide: result = first / second
    case .modulus:
      guard let whole = Number.truncated(first / second) else {
        throw .decimal(operation.rawValue)
      }
      result = first - whole * second
    }
    guard !result.isNaN else { throw .decimal(operation.rawValue) }
    return result
  }
}

package enum IntegerRange {
  /// The range of an operation's results; `nil` if a result may not fit into 64 bits.
  ///
  /// Division by zero has no result and is ignored.
  package static func result(
    of operation: ArithmeticOperation,
    _ first: ClosedRange<Int64>,
    _ second: ClosedRange<Int64>
  ) -> ClosedRange<Int64>? {
    if operation == .modulus
      || operation == .divide && (second.contains(0) || second.contains(-1))
    {
      // A quotient is never farther from zero than its dividend.
      return magnitude(of: first).map { -$0...$0 }
    }
    // All others have their extremes at the ends of their operands.
    let results = [first.lowerBound, first.upperBound].flatMap { left in
      [second.lowerBound, second.upperBound].map { operation.reportingOverflow(left, $0) }
    }
    guard !results.contains(where: \.overflow) else { return nil }
    let values = results.map(\.partialValue)
    guard let low = values.min(), let high = values.max() else { return nil }
    return low...high
  }

  /// The greatest absolute value; `nil` if 64 bits cannot hold it with both signs.
  private static func magnitude(of range: ClosedRange<Int64>) -> Int64? {
    guard range.lowerBound != .min else { return nil }
    return max(abs(range.lowerBound), abs(range.upperBound))
  }
}

/// A binary operation on numbers, which gives an integer for two integers.
///
/// The raw value is the selector of the function.
package enum ArithmeticOperation: String, Hashable, Sendable {
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"

  /// Whether zero as the second operand has no result.
  var divides: Bool { self == .divide || self == .modulus }

  /// The result for two integers, of which the second is not zero where the operation divides.
  func reportingOverflow(
    _ first: Int64,
    _ second: Int64
  ) -> (partialValue: Int64, overflow: Bool) {
    switch self {
    case .add: first.addingReportingOverflow(second)
    case .subtract: first.subtractingReportingOverflow(second)
    case .multiply: first.multipliedReportingOverflow(by: second)
    case .divide: first.dividedReportingOverflow(by: second)
    case .modulus:
      second == -1 ? (0, false) : first.remainderReportingOverflow(dividingBy: second)
    }
  }
}

extension Function {
  package var arithmeticOperation: ArithmeticOperation? { ArithmeticOperation(rawValue: selector) }
}
