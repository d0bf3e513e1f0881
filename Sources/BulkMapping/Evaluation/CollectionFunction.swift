internal import BulkModel
internal import BulkPlatform

/// The collection functions.
enum CollectionFunction {
  static func result(
    of function: ExpressionFunction,
    _ value: EvaluatedValue
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let collection = Evaluator.collection(value)
    if function == .count {
      return .attribute(.integer(Int64(collection?.elements.count ?? 0)))
    }
    guard let collection else { return .null }
    let elements = collection.elements.filter { !$0.isNull }
    switch function {
    case .minimum: return try extreme(.lessThan, elements)
    case .maximum: return try extreme(.greaterThan, elements)
    case .mode: return mode(elements)
    case .sum: return .attribute(try sum(try numbers(function, elements)).value)
    case .average: return .attribute(try mean(try numbers(function, elements))?.value ?? .null)
    case .median: return .attribute(try median(try numbers(function, elements))?.value ?? .null)
    case .standardDeviation:
      return .attribute(deviation(try numbers(function, elements))?.value ?? .null)
    case .unionOfObjects: return .collection(ValueCollection(.array, elements))
    case .distinctUnionOfObjects: return .collection(distinct(elements, .array))
    case .unionOfArrays: return .collection(ValueCollection(.array, try flat(function, elements)))
    case .distinctUnionOfArrays:
      return .collection(distinct(try flat(function, elements), .array))
    case .distinctUnionOfSets: return .collection(distinct(try flat(function, elements), .set))
    case .count, .add, .subtract, .multiply, .divide, .modulus, .power, .squareRoot, .logarithm,
      .naturalLogarithm, .exponential, .floor, .ceiling, .absolute, .truncate, .uppercase,
      .lowercase, .canonical, .length, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift,
      .rightShift, .onesComplement, .noIndex, .element:
      throw EvaluationFailure("\(function.rawValue) is no function of a collection's elements")
    }
  }

  private static func numbers(
    _ function: ExpressionFunction,
    _ elements: [EvaluatedValue]
  ) throws(EvaluationFailure) -> [Number] {
    var numbers: [Number] = []
    for element in elements { numbers.append(try FunctionCall.number(function, element)) }
    return numbers
  }

  private static func distinct(
    _ elements: [EvaluatedValue],
    _ kind: ValueCollection.Kind
  ) -> ValueCollection {
    ValueCollection(kind, ValueCollection(.orderedSet, elements).elements)
  }

  /// The elements of the elements, which must be collections.
  private static func flat(
    _ function: ExpressionFunction,
    _ elements: [EvaluatedValue]
  ) throws(EvaluationFailure) -> [EvaluatedValue] {
    var result: [EvaluatedValue] = []
    for element in elements {
      guard case .collection(let inner) = element else {
        throw EvaluationFailure("\(function.rawValue) takes collections, not \(element.kind)")
      }
      result += inner.elements.filter { !$0.isNull }
    }
    return result
  }

  /// The element that compares to all others as an operator requires.
  private static func extreme(
    _ better: ValuePredicate.Operator,
    _ elements: [EvaluatedValue]
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard var best = elements.first else { return .null }
    var comparison = ValueComparison(TextComparing())
    for element in elements.dropFirst() where try comparison.holds(element, better, best) {
      best = element
    }
    return best
  }

  /// All values with the highest frequency, in the order in which they first occur.
  private static func mode(_ elements: [EvaluatedValue]) -> EvaluatedValue {
    var counts: [ValueIdentity: Int] = [:]
    for element in elements { counts[ValueIdentity(element), default: 0] += 1 }
    let most = counts.values.max() ?? 0
    let modes = elements.filter { counts[ValueIdentity($0)] == most }
    return .collection(distinct(modes, .array))
  }

  private static func sum(_ numbers: [Number]) throws(EvaluationFailure) -> Number {
    var sum = Number.integer(0)
    for number in numbers { sum = try NumberArithmetic.result(of: .add, sum, number) }
    return sum
  }

  /// The mean: decimal if one of the numbers is decimal, otherwise a double.
  private static func mean(_ numbers: [Number]) throws(EvaluationFailure) -> Number? {
    guard !numbers.isEmpty else { return nil }
    let isDecimal = numbers.contains { if case .decimal = $0 { true } else { false } }
    guard isDecimal else {
      return .double(numbers.reduce(0) { $0 + $1.double } / Double(numbers.count))
    }
    let count = Number.integer(Int64(numbers.count))
    return try NumberArithmetic.result(of: .divide, try sum(numbers), count)
  }

  private static func median(_ numbers: [Number]) throws(EvaluationFailure) -> Number? {
    let sorted = numbers.sorted { $0.compare($1) == .orderedAscending }
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? try mean([sorted[middle - 1], sorted[middle]]) : try mean([sorted[middle]])
  }

  /// The population standard deviation of the numbers.
  private static func deviation(_ numbers: [Number]) -> Number? {
    guard !numbers.isEmpty else { return nil }
    let values = numbers.map(\.double)
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return .double((squares / Double(values.count)).squareRoot())
  }
}

/// A function of a collection, computed incrementally from its elements.
///
/// It gives the same result as ``CollectionFunction``, by the same operations in the same order.
struct CollectionFold {
  /// The data kept of the elements.
  private enum Form {
    case count, sum, average
    /// The element that compares to all others as an operator requires.
    case extreme(ValuePredicate.Operator)
  }

  private let function: ExpressionFunction
  private let form: Form
  private var count: Int64 = 0
  private var sum = Number.integer(0)
  /// The failure of the sum; a mean of doubles ignores it.
  private var sumFailure: EvaluationFailure?
  private var doubles = 0.0
  private var isDecimal = false
  private var best: EvaluatedValue?
  private var comparison = ValueComparison(TextComparing())

  /// A fold; `nil` for functions that need all elements at once.
  init?(_ function: ExpressionFunction) {
    switch function {
    case .count: form = .count
    case .sum: form = .sum
    case .average: form = .average
    case .minimum: form = .extreme(.lessThan)
    case .maximum: form = .extreme(.greaterThan)
    case .median, .mode, .standardDeviation, .add, .subtract, .multiply, .divide, .modulus, .power,
      .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute,
      .truncate, .uppercase, .lowercase, .canonical, .length, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .onesComplement, .noIndex, .element,
      .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      return nil
    }
    self.function = function
  }

  /// Adds an element.
  mutating func add(_ element: EvaluatedValue) throws(EvaluationFailure) {
    switch form {
    case .count: count += 1
    case .extreme(let better):
      guard !element.isNull else { return }
      guard let found = best else {
        best = element
        return
      }
      if try comparison.holds(element, better, found) { best = element }
    case .sum, .average:
      guard !element.isNull else { return }
      try add(FunctionCall.number(function, element))
    }
  }

  private mutating func add(_ number: Number) throws(EvaluationFailure) {
    count += 1
    if case .decimal = number { isDecimal = true }
    doubles += number.double
    guard sumFailure == nil else { return }
    do throws(EvaluationFailure) {
      sum = try NumberArithmetic.result(of: .add, sum, number)
    } catch {
      sumFailure = error
    }
  }

  /// The value for all elements added.
  func result() throws(EvaluationFailure) -> EvaluatedValue {
    switch form {
    case .count: return .attribute(.integer(count))
    case .extreme: return best ?? .null
    case .average:
      guard count > 0 else { return .null }
      guard isDecimal else { return .attribute(Number.double(doubles / Double(count)).value) }
      if let sumFailure { throw sumFailure }
      let mean = try NumberArithmetic.result(of: .divide, sum, Number.integer(count))
      return .attribute(mean.value)
    case .sum:
      if let sumFailure { throw sumFailure }
      return .attribute(sum.value)
    }
  }
}
