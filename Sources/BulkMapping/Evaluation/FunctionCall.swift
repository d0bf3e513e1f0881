internal import BulkModel
internal import BulkPlatform

/// Evaluates functions of one row's values.
///
/// Functions of single values return nil for nil; functions of collections ignore nil.
enum FunctionCall {
  static func result(
    of function: ExpressionFunction,
    _ value: EvaluatedValue
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch function {
    case .count, .sum, .minimum, .maximum, .average, .median, .mode, .standardDeviation,
      .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      return try CollectionFunction.result(of: function, value)
    case .uppercase: return try text(function, value) { .string($0.uppercased()) }
    case .lowercase: return try text(function, value) { .string(LowerCase.text($0)) }
    case .canonical:
      return try text(function, value) {
        .string(TextComparing.folded($0, [.caseInsensitive, .diacriticInsensitive]))
      }
    case .length: return try text(function, value) { .integer(Int64($0.utf16.count)) }
    case .squareRoot: return try real(function, value) { $0.squareRoot() }
    case .logarithm: return try real(function, value) { log10($0) }
    case .naturalLogarithm: return try real(function, value) { log($0) }
    case .exponential: return try real(function, value) { exp($0) }
    case .absolute: return try absolute(value)
    case .floor: return try rounded(function, value, .down)
    case .ceiling: return try rounded(function, value, .up)
    case .truncate: return try rounded(function, value, .towardZero)
    case .onesComplement: return try integers(function, [value]) { ~$0[0] }
    case .noIndex: return value
    case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .element:
      throw .argumentCount(function, 1)
    }
  }

  static func result(
    of function: ExpressionFunction,
    _ first: EvaluatedValue,
    _ second: EvaluatedValue
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch function {
    case .add: return try arithmetic(.add, first, second)
    case .subtract: return try arithmetic(.subtract, first, second)
    case .multiply: return try arithmetic(.multiply, first, second)
    case .divide: return try arithmetic(.divide, first, second)
    case .modulus: return try arithmetic(.modulus, first, second)
    case .power:
      guard let (base, exponent) = try operands(function, first, second) else { return .null }
      return .attribute(NumberArithmetic.power(base, exponent).value)
    case .element: return try element(first, second)
    case .bitwiseAnd: return try integers(function, [first, second]) { $0[0] & $0[1] }
    case .bitwiseOr: return try integers(function, [first, second]) { $0[0] | $0[1] }
    case .bitwiseXor: return try integers(function, [first, second]) { $0[0] ^ $0[1] }
    case .leftShift: return try integers(function, [first, second]) { $0[0] << $0[1] }
    case .rightShift: return try integers(function, [first, second]) { $0[0] >> $0[1] }
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation,
      .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute,
      .truncate, .uppercase, .lowercase, .canonical, .length, .onesComplement, .noIndex,
      .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      throw .argumentCount(function, 2)
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

  private static func text(
    _ function: ExpressionFunction,
    _ value: EvaluatedValue,
    _ operation: (String) -> AttributeValue
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !value.isNull else { return .null }
    guard case .attribute(.string(let text)) = value else {
      throw EvaluationFailure("\(function.rawValue) takes a string, not \(value.kind)")
    }
    return .attribute(operation(text))
  }

  /// Two numbers; `nil` if one of them is nil.
  private static func operands(
    _ function: ExpressionFunction,
    _ first: EvaluatedValue,
    _ second: EvaluatedValue
  ) throws(EvaluationFailure) -> (Number, Number)? {
    guard !first.isNull, !second.isNull else { return nil }
    return (try number(function, first), try number(function, second))
  }

  private static func arithmetic(
    _ operation: ArithmeticOperation,
    _ first: EvaluatedValue,
    _ second: EvaluatedValue
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard let (left, right) = try operands(operation.function, first, second) else { return .null }
    return .attribute(try NumberArithmetic.result(of: operation, left, right).value)
  }

  private static func real(
    _ function: ExpressionFunction,
    _ value: EvaluatedValue,
    _ operation: (Double) -> Double
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !value.isNull else { return .null }
    return .attribute(Number.double(operation(try number(function, value).double)).value)
  }

  private static func absolute(
    _ value: EvaluatedValue
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !value.isNull else { return .null }
    switch try number(.absolute, value) {
    case .integer(let whole):
      guard whole != .min else { throw .overflow(.absolute) }
      return .attribute(.integer(abs(whole)))
    case .double(let value): return .attribute(Number.double(abs(value)).value)
    case .decimal(let value): return .attribute(.decimal(abs(value)))
    }
  }

  private static func rounded(
    _ function: ExpressionFunction,
    _ value: EvaluatedValue,
    _ rule: FloatingPointRoundingRule
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !value.isNull else { return .null }
    return .attribute(try rounded(function, try number(function, value), rule).value)
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

  /// A bitwise operation on integers; shifts by 64 or more places behave as in Swift.
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

/// Lowercases texts by Unicode's rules, independent of locale.
enum LowerCase {
  private static let capitalSigma: Unicode.Scalar = "\u{3A3}"

  /// The text in lowercase, with the final form of sigma at the end of words.
  ///
  /// `String.lowercased()` always gives σ, because it maps each scalar separately.
  static func text(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.contains(capitalSigma) else { return text.lowercased() }
    var result = String.UnicodeScalarView()
    for index in scalars.indices {
      if scalars[index] == capitalSigma {
        result.append(isFinal(index, in: scalars) ? "ς" : "σ")
      } else {
        result.append(contentsOf: scalars[index].properties.lowercaseMapping.unicodeScalars)
      }
    }
    return String(result)
  }

  /// Whether a sigma follows a cased letter and precedes none, ignoring case-ignorable scalars.
  ///
  /// Source: `Final_Sigma` in table 3-17 of the Unicode Standard, version 15.
  private static func isFinal(
    _ index: String.UnicodeScalarView.Index,
    in scalars: String.UnicodeScalarView
  ) -> Bool {
    let isBehindLetter = isCased(scalars[..<index].reversed())
    return isBehindLetter && !isCased(scalars[scalars.index(after: index)...])
  }

  /// Whether the first scalar that is not case-ignorable, or one before it, is cased.
  private static func isCased(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    for scalar in scalars {
      if scalar.properties.isCased { return true }
      if !scalar.properties.isCaseIgnorable { return false }
    }
    return false
  }
}
