internal import BulkModel
internal import BulkSupport

extension Function {
  static let collections: [Function] = [
    sum, count, minimum, maximum, average, median,
    collection("mode:", gives: { .init(type: .collection(of: $0.element), risks: $0.elementRisks) })
    {
      mode($0)
    }.example("mode({1, 2, 2})", is: "{2}"),
    numeric("stddev:", gives: \.mean) { deviation($0) }.example("stddev({1, 3})", is: "1.0"),
  ]

  package static let count = Function(
    "count:",
    [.collection],
    fold: .count,
    gives: { _ in FunctionResult(type: .count, mayBeNil: false) }
  ) { value, _ in .integer(Int64(Evaluator.collection(value)?.elements.count ?? 0)) }
  .example("count({5, 5})", is: "2")
  package static let sum = folded("sum:", .sum, gives: \.sum).example("sum({1, 2})", is: "3")
  package static let average = folded("average:", .average, gives: \.mean)
    .example("average({1, 2})", is: "1.5")
  package static let median = numeric("median:", gives: \.mean) { try median($0) }
    .example("median({1, 2, 9})", is: "2.0")
  package static let minimum = folded("min:", .extreme(.lessThan)) {
    FunctionResult(type: $0.element)
  }.example("min({1, 2})", is: "1")
  package static let maximum = folded("max:", .extreme(.greaterThan)) {
    FunctionResult(type: $0.element)
  }.example("max({1, 2})", is: "2")
  static let unionOfObjects = union("@unionOfObjects") { .init(.array, $0) }

  /// The element of a collection at an index, which is compiled apart.
  static let element = Function(
    "objectFrom:withIndex:",
    [.collection, .number],
    gives: { FunctionResult(type: $0.element) }
  ) { try indexed($0, $1.first) }

  static func applying(_ operator: CollectionOperator) -> Function {
    switch `operator` {
    case .count: count
    case .sum: sum
    case .average: average
    case .minimum: minimum
    case .maximum: maximum
    case .distinctUnionOfObjects: union("@distinctUnionOfObjects") { distinct($0, .array) }
    case .unionOfObjects: unionOfObjects
    case .distinctUnionOfArrays: flatUnion("@distinctUnionOfArrays") { distinct($0, .array) }
    case .unionOfArrays: flatUnion("@unionOfArrays") { .init(.array, $0) }
    case .distinctUnionOfSets: flatUnion("@distinctUnionOfSets") { distinct($0, .set) }
    }
  }

  /// A function of the elements that are not nil.
  private static func collection(
    _ selector: String,
    fold: CollectionFold.Form? = nil,
    gives typing: @escaping @Sendable (FunctionOperands) -> FunctionResult,
    _ operation: @escaping @Sendable ([EvaluatedValue]) throws -> EvaluatedValue
  ) -> Function {
    Function(selector, [.collection], fold: fold, gives: typing) { value, _ in
      guard let collection = Evaluator.collection(value) else { return .null }
      return try operation(collection.elements.filter { !$0.isNull })
    }
  }

  private static func numeric(
    _ selector: String,
    gives typing: @escaping @Sendable (FunctionOperands) -> FunctionResult,
    _ operation: @escaping @Sendable ([Number]) throws -> Number?
  ) -> Function {
    collection(selector, gives: typing) { elements in
      .attribute(try operation(try elements.map { try $0.number(for: selector) })?.value ?? .null)
    }
  }

  /// A function that is computed element by element.
  private static func folded(
    _ selector: String,
    _ form: CollectionFold.Form,
    gives typing: @escaping @Sendable (FunctionOperands) -> FunctionResult
  ) -> Function {
    collection(selector, fold: form, gives: typing) { elements in
      var fold = CollectionFold(form, of: selector)
      for element in elements { try fold.add(element) }
      return try fold.result()
    }
  }

  private static func union(
    _ selector: String,
    _ united: @escaping @Sendable ([EvaluatedValue]) -> ValueCollection
  ) -> Function {
    collection(selector, gives: { .init(type: $0.types[0]) }) { .collection(united($0)) }
  }

  /// A union of the elements of the elements, which must be collections.
  private static func flatUnion(
    _ selector: String,
    _ united: @escaping @Sendable ([EvaluatedValue]) -> ValueCollection
  ) -> Function {
    collection(selector, gives: { .init(type: $0.element) }) { elements in
      let inner = try elements.flatMap { element in
        guard case .collection(let inner) = element else {
          throw EvaluationFailure("\(selector) takes collections, not \(element.kind)")
        }
        return inner.elements.filter { !$0.isNull }
      }
      return .collection(united(inner))
    }
  }

  private static func distinct(
    _ elements: [EvaluatedValue],
    _ kind: ValueCollection.Kind
  ) -> ValueCollection {
    ValueCollection(kind, ValueCollection(.orderedSet, elements).elements)
  }

  /// All values with the highest frequency, in the order in which they first occur.
  private static func mode(_ elements: [EvaluatedValue]) -> EvaluatedValue {
    var counts: [ValueIdentity: Int] = [:]
    for element in elements { counts[ValueIdentity(element), default: 0] += 1 }
    let most = counts.values.max() ?? 0
    let modes = elements.filter { counts[ValueIdentity($0)] == most }
    return .collection(distinct(modes, .array))
  }

  /// The mean of the one or the two numbers in the middle.
  private static func median(_ numbers: [Number]) throws(EvaluationFailure) -> Number? {
    let sorted = numbers.sorted { $0.compare($1) == .orderedAscending }
    let middle = sorted.dropFirst((sorted.count - 1) / 2).prefix(2 - sorted.count % 2)
    var fold = CollectionFold(.average, of: average.selector)
    for number in middle { try fold.add(.attribute(number.value)) }
    return try fold.result().number
  }

  /// The population standard deviation of the numbers.
  private static func deviation(_ numbers: [Number]) -> Number? {
    guard !numbers.isEmpty else { return nil }
    let values = numbers.map(\.double)
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return .double((squares / Double(values.count)).squareRoot())
  }

  static func indexed(
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
      let position = try index.number(for: "objectFrom:withIndex:").integer,
      position >= 0, position < Int64(collection.elements.count)
    else {
      throw EvaluationFailure("an index is outside of its \(collection.elements.count) elements")
    }
    return collection.elements[Int(position)]
  }
}
