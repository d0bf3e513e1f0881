/// An operation that gives an integer for two integers.
package enum IntegerOperation: Hashable, Sendable {
  case add
  case subtract
  case multiply
  case divide
  case modulus
}

extension ExpressionFunction {
  /// The operation that the function is on two integers; `nil` for every other function.
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
