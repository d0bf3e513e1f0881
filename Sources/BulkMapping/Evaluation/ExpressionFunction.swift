internal import BulkModel

/// A function whose value depends only on its arguments.
///
/// The raw value is the selector, or the collection operator of a key path.
package enum ExpressionFunction: String, Hashable, Sendable, CaseIterable {
  case sum = "sum:"
  case count = "count:"
  case minimum = "min:"
  case maximum = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case power = "raise:toPower:"
  case squareRoot = "sqrt:"
  case logarithm = "log:"
  case naturalLogarithm = "ln:"
  case exponential = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case absolute = "abs:"
  case truncate = "trunc:"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement = "onesComplement:"
  case noIndex = "noindex:"
  case element = "objectFrom:withIndex:"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// The function of a collection operator.
  init(_ operator: CollectionOperator) {
    self =
      switch `operator` {
      case .count: .count
      case .sum: .sum
      case .average: .average
      case .minimum: .minimum
      case .maximum: .maximum
      case .distinctUnionOfObjects: .distinctUnionOfObjects
      case .unionOfObjects: .unionOfObjects
      case .distinctUnionOfArrays: .distinctUnionOfArrays
      case .unionOfArrays: .unionOfArrays
      case .distinctUnionOfSets: .distinctUnionOfSets
      }
  }
}

/// The parameter and result types of a function.
struct FunctionRule {
  private let function: ExpressionFunction

  init(_ function: ExpressionFunction) { self.function = function }

  /// The type of a call's result.
  struct Result {
    let type: ExpressionType
    var mayBeNil = true
    var risks: [RunTimeRisk] = []
  }

  /// The accepted types, for messages.
  var expected: String {
    switch family {
    case .aggregate: "a collection"
    case .numeric: "numbers"
    case .textual: "a string"
    case .integral: "integers"
    case .any: "a value"
    }
  }

  /// Whether the function accepts values of a type.
  func accepts(_ type: ExpressionType) -> Bool {
    switch family {
    case .aggregate: return ExpressionCompiler.isCollection(type)
    case .numeric: return type.isNumber
    case .integral: return type.integerRange != nil || type == .number
    case .textual: return type == .string
    case .any: return true
    }
  }

  private enum Family { case aggregate, numeric, integral, textual, any }

  private var family: Family {
    switch function {
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation,
      .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      .aggregate
    case .add, .subtract, .multiply, .divide, .modulus, .power, .squareRoot, .logarithm,
      .naturalLogarithm, .exponential, .floor, .ceiling, .absolute, .truncate:
      .numeric
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement: .integral
    case .uppercase, .lowercase, .canonical, .length: .textual
    case .noIndex, .element: .any
    }
  }

  func result(of arguments: [ExpressionNode]) -> Result {
    let types = arguments.map(\.type)
    let mayBeNil = arguments.contains(where: \.mayBeNil)
    switch function {
    case .count: return Result(type: .integer(0...(.max)), mayBeNil: false)
    case .minimum, .maximum: return Result(type: element(types[0]))
    case .mode:
      let element = element(types[0])
      return Result(type: .collection(of: element), risks: elementRisks(element))
    case .sum: return sum(element(types[0]))
    case .average, .median, .standardDeviation:
      let element = element(types[0])
      return Result(type: element == .decimal ? .number : .double, risks: elementRisks(element))
    case .distinctUnionOfObjects, .unionOfObjects: return Result(type: types[0])
    case .distinctUnionOfArrays, .unionOfArrays, .distinctUnionOfSets:
      return Result(type: element(types[0]), risks: [])
    case .add, .subtract, .multiply, .divide, .modulus, .power:
      return arithmetic(types, mayBeNil: mayBeNil)
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential:
      return Result(type: .double)
    case .floor, .ceiling, .truncate: return Result(type: types[0], mayBeNil: mayBeNil)
    case .absolute: return absolute(types[0], mayBeNil: mayBeNil)
    case .uppercase, .lowercase, .canonical: return Result(type: .string, mayBeNil: mayBeNil)
    case .length: return Result(type: .integer(0...(.max)), mayBeNil: mayBeNil)
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
      return Result(type: .integer(.min ... .max), mayBeNil: mayBeNil, risks: integral(types))
    case .noIndex, .element: return Result(type: types[0])
    }
  }

  private func element(_ type: ExpressionType) -> ExpressionType {
    if case .collection(let element) = type { element } else { .unknown }
  }

  private func elementRisks(_ element: ExpressionType) -> [RunTimeRisk] {
    element.isNumber || element == .null ? [] : [.type(function.rawValue)]
  }

  private func sum(_ element: ExpressionType) -> Result {
    guard element.integerRange != nil else {
      let risks = elementRisks(element)
      return Result(
        type: element.isNumber ? element : .number,
        mayBeNil: false,
        risks: element == .double || element == .decimal ? risks : risks + [overflow]
      )
    }
    return Result(type: .integer(.min ... .max), mayBeNil: false, risks: [overflow])
  }

  private var overflow: RunTimeRisk { .overflow(function.rawValue) }

  private func arithmetic(_ types: [ExpressionType], mayBeNil: Bool) -> Result {
    if let first = types[0].integerRange, let second = types[1].integerRange {
      return integers(first, second, mayBeNil: mayBeNil)
    }
    if function == .power { return Result(type: .number, risks: [overflow]) }
    let isKnown = types.allSatisfy { $0 != .number && $0.isNumber }
    guard isKnown else { return Result(type: .number, risks: [overflow]) }
    let isDecimal = types.contains(.decimal)
    var risks: [RunTimeRisk] = isDecimal ? [overflow] : []
    if isDecimal, function == .divide || function == .modulus {
      risks.append(.divisionByZero(function.rawValue))
    }
    // A NaN becomes nil, so any operation on doubles may give nil.
    return Result(type: isDecimal ? .decimal : .double, mayBeNil: true, risks: risks)
  }

  private func integers(
    _ first: ClosedRange<Int64>,
    _ second: ClosedRange<Int64>,
    mayBeNil: Bool
  ) -> Result {
    guard let operation = function.arithmeticOperation else {
      return Result(type: .number, mayBeNil: mayBeNil)
    }
    var risks: [RunTimeRisk] = []
    let range = IntegerRange.result(of: operation, first, second)
    if range == nil { risks.append(overflow) }
    if function == .divide || function == .modulus, second.contains(0) {
      risks.append(.divisionByZero(function.rawValue))
    }
    return Result(type: .integer(range ?? .min ... .max), mayBeNil: mayBeNil, risks: risks)
  }

  private func absolute(_ type: ExpressionType, mayBeNil: Bool) -> Result {
    guard let range = type.integerRange else {
      let risks = type == .double || type == .decimal ? [] : [overflow]
      return Result(type: type, mayBeNil: mayBeNil, risks: risks)
    }
    guard range.lowerBound != .min else {
      return Result(type: .integer(0...(.max)), mayBeNil: mayBeNil, risks: [overflow])
    }
    let top = max(abs(range.lowerBound), abs(range.upperBound))
    return Result(type: .integer(0...top), mayBeNil: mayBeNil)
  }

  private func integral(_ types: [ExpressionType]) -> [RunTimeRisk] {
    types.contains { $0.integerRange == nil } ? [.type(function.rawValue)] : []
  }
}
