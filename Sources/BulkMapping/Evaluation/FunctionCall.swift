internal import BulkModel
internal import Foundation

/// The results of functions of one row's values.
///
/// Functions of single values give nil for nil; functions of collections leave nil out.
enum FunctionCall {
  static func result(
    of function: ExpressionFunction,
    _ value: EvaluatedValue
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch function {
    case .sum, .minimum, .maximum, .average, .median, .mode, .standardDeviation, .count,
      .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      return try CollectionFunction.result(of: function, value)
    case .uppercase, .lowercase, .canonical, .length:
      guard !value.isNull else { return .null }
      guard case .attribute(.string(let text)) = value else {
        throw EvaluationFailure("\(function.rawValue) takes a string, not \(value.kind)")
      }
      return .attribute(self.text(function, text))
    case .onesComplement: return try integers(function, [value]) { ~$0[0] }
    default:
      guard !value.isNull else { return .null }
      return .attribute(try numeric(function, try number(function, value)).value)
    }
  }

  static func result(
    of function: ExpressionFunction,
    _ first: EvaluatedValue,
    _ second: EvaluatedValue
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch function {
    case .element: return try element(first, second)
    case .bitwiseAnd: return try integers(function, [first, second]) { $0[0] & $0[1] }
    case .bitwiseOr: return try integers(function, [first, second]) { $0[0] | $0[1] }
    case .bitwiseXor: return try integers(function, [first, second]) { $0[0] ^ $0[1] }
    case .leftShift: return try integers(function, [first, second]) { $0[0] << $0[1] }
    case .rightShift: return try integers(function, [first, second]) { $0[0] >> $0[1] }
    default:
      guard !first.isNull, !second.isNull else { return .null }
      let left = try number(function, first)
      let right = try number(function, second)
      guard function != .power else {
        return .attribute(NumberArithmetic.power(left, right).value)
      }
      return .attribute(try NumberArithmetic.result(of: function, left, right).value)
    }
  }

  static func number(
    _ function: ExpressionFunction,
    _ value: EvaluatedValue
  ) throws(EvaluationFailure) -> Number {
    guard case .attribute(let attribute) = value, let number = Number(attribute) else {
      throw EvaluationFailure("\(function.rawValue) takes numbers, not \(value.kind)")
    }
    return number
  }

  private static func text(_ function: ExpressionFunction, _ text: String) -> AttributeValue {
    switch function {
    case .uppercase: .string(text.uppercased())
    case .lowercase: .string(text.lowercased())
    case .canonical:
      .string(TextComparing.folded(text, [.caseInsensitive, .diacriticInsensitive]))
    default: .integer(Int64(text.utf16.count))
    }
  }

  private static func numeric(
    _ function: ExpressionFunction,
    _ number: Number
  ) throws(EvaluationFailure) -> Number {
    switch function {
    case .squareRoot: return .double(number.double.squareRoot())
    case .logarithm: return .double(log10(number.double))
    case .naturalLogarithm: return .double(log(number.double))
    case .exponential: return .double(exp(number.double))
    case .absolute: return try absolute(number)
    case .floor: return try rounded(function, number, .down)
    case .ceiling: return try rounded(function, number, .up)
    default: return try rounded(function, number, .towardZero)
    }
  }

  private static func absolute(_ number: Number) throws(EvaluationFailure) -> Number {
    switch number {
    case .integer(let whole):
      guard whole != .min else { throw .overflow(.absolute) }
      return .integer(abs(whole))
    case .double(let value): return .double(abs(value))
    case .decimal(let value): return .decimal(abs(value))
    }
  }

  private static func rounded(
    _ function: ExpressionFunction,
    _ number: Number,
    _ rule: FloatingPointRoundingRule
  ) throws(EvaluationFailure) -> Number {
    switch number {
    case .integer: return number
    case .double(let value): return .double(value.rounded(rule))
    case .decimal(let value):
      guard let whole = Number.truncated(value) else { throw .decimal(function) }
      if whole < value, rule == .up { return .decimal(whole + 1) }
      if whole > value, rule == .down { return .decimal(whole - 1) }
      return .decimal(whole)
    }
  }

  /// An operation on the bits of integers; a shift by 64 or more places leaves none, as in Swift.
  private static func integers(
    _ function: ExpressionFunction,
    _ values: [EvaluatedValue],
    _ operation: ([Int64]) -> Int64
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !values.contains(where: \.isNull) else { return .null }
    var operands: [Int64] = []
    for value in values {
      guard case .integer(let operand) = try number(function, value) else {
        throw EvaluationFailure("\(function.rawValue) takes integers, not \(value.kind)")
      }
      operands.append(operand)
    }
    return .attribute(.integer(operation(operands)))
  }

  private static func element(
    _ collection: EvaluatedValue,
    _ index: EvaluatedValue
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !collection.isNull, !index.isNull else { return .null }
    guard case .collection(let collection) = collection else {
      throw EvaluationFailure("[ ] takes a collection, not \(collection.kind)")
    }
    guard collection.kind != .set else {
      throw EvaluationFailure("a set has no order, so [ ] has no meaning for it")
    }
    guard
      let place = try number(.element, index).integer,
      place >= 0, place < Int64(collection.elements.count)
    else {
      throw EvaluationFailure("an index is outside of its \(collection.elements.count) elements")
    }
    return collection.elements[Int(place)]
  }
}
