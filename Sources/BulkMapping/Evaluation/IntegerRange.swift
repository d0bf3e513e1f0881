/// The ranges of the results of integer operations.
package enum IntegerRange {
  /// The range of an operation's results; `nil` if a result may not fit into 64 bits.
  ///
  /// Division by zero has no result and is ignored.
  package static func result(
    of operation: IntegerOperation,
    _ first: ClosedRange<Int64>,
    _ second: ClosedRange<Int64>
  ) -> ClosedRange<Int64>? {
    switch operation {
    case .add:
      hull(first, second) { $0.addingReportingOverflow($1) }
    case .subtract:
      hull(first, second) { $0.subtractingReportingOverflow($1) }
    case .multiply:
      hull(first, second) { $0.multipliedReportingOverflow(by: $1) }
    case .divide: quotients(first, second)
    case .modulus:
      magnitude(of: first).map { -$0...$0 }
    }
  }

  /// The range of an operation whose extremes are at the ends of its operands.
  private static func hull(
    _ first: ClosedRange<Int64>,
    _ second: ClosedRange<Int64>,
    _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) -> ClosedRange<Int64>? {
    let results = [first.lowerBound, first.upperBound].flatMap { left in
      [second.lowerBound, second.upperBound].map { operation(left, $0) }
    }
    guard !results.contains(where: \.overflow) else { return nil }
    let values = results.map(\.partialValue)
    guard let low = values.min(), let high = values.max() else { return nil }
    return low...high
  }

  private static func quotients(
    _ first: ClosedRange<Int64>,
    _ second: ClosedRange<Int64>
  ) -> ClosedRange<Int64>? {
    if second.contains(0) || second.contains(-1) {
      // A quotient is never farther from zero than its dividend.
      return magnitude(of: first).map { -$0...$0 }
    }
    return hull(first, second) { $0.dividedReportingOverflow(by: $1) }
  }

  /// The greatest absolute value; `nil` if 64 bits cannot hold it with both signs.
  private static func magnitude(of range: ClosedRange<Int64>) -> Int64? {
    guard range.lowerBound != .min else { return nil }
    return max(abs(range.lowerBound), abs(range.upperBound))
  }
}

/// An operation on two integers with an integer result.
package enum IntegerOperation: Hashable, Sendable {
  case add
  case subtract
  case multiply
  case divide
  case modulus
}

extension ExpressionFunction {
  /// The integer operation of the function; `nil` for other functions.
  package var integerOperation: IntegerOperation? {
    switch self {
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    case .divide: .divide
    case .modulus: .modulus
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation, .power,
      .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute,
      .truncate, .uppercase, .lowercase, .canonical, .length, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .onesComplement, .noIndex, .element,
      .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      nil
    }
  }
}
