package import BulkCoding
internal import BulkModel

/// A function whose value depends only on its arguments.
///
/// Each row of the tables makes one.
package final class ExpressionFunction: Sendable {
  /// The value of one argument, or of two; functions of one ignore the second.
  ///
  /// Functions of single values return nil for nil; functions of collections ignore nil.
  typealias Body = @Sendable (EvaluatedValue, EvaluatedValue) throws -> EvaluatedValue

  /// The selector, or the collection operator of a key path.
  let selector: String
  let parameter: MethodParameter
  /// The incremental form; `nil` for functions that need all elements at once.
  let fold: CollectionFold.Form?
  private let typing: @Sendable (FunctionOperands) -> FunctionResult
  private let body: Body

  init(
    _ selector: String,
    _ parameter: MethodParameter,
    fold: CollectionFold.Form? = nil,
    gives typing: @escaping @Sendable (FunctionOperands) -> FunctionResult,
    _ body: @escaping Body
  ) {
    self.selector = selector
    self.parameter = parameter
    self.fold = fold
    self.typing = typing
    self.body = body
  }

  /// The type of a call's result.
  func result(of arguments: [ExpressionNode]) -> FunctionResult {
    typing(FunctionOperands(selector, arguments))
  }

  func value(
    _ first: EvaluatedValue,
    _ second: EvaluatedValue = .null
  ) throws(EvaluationFailure) -> EvaluatedValue {
    do { return try body(first, second) } catch { throw EvaluationFailure(error) }
  }

  /// The row of the function, with an example for help: a call and its value, as expressions.
  func example(_ call: String, is value: String) -> ExampleRow<ExpressionFunction> {
    ExampleRow(entry: self, example: MethodExample(call: call, value: value))
  }

  /// The function of texts that it is; `nil` for other functions.
  package var textFunction: TextFunction? { TextFunction(rawValue: selector) }

  static func named(_ selector: String) -> ExpressionFunction? { bySelector[selector] }

  private static let bySelector = Dictionary(
    uniqueKeysWithValues: (numbers + bits + collections + texts).map {
      ($0.entry.selector, $0.entry)
    }
  )
}

extension ExpressionFunction: Hashable {
  package static func == (first: ExpressionFunction, second: ExpressionFunction) -> Bool {
    first === second
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The type of a call's result.
struct FunctionResult {
  let type: ExpressionType
  var mayBeNil = true
  var risks: [RunTimeRisk] = []
}

/// The arguments of a call when it is compiled, and the types of results that follow from theirs.
struct FunctionOperands {
  let selector: String
  let types: [ExpressionType]
  let mayBeNil: Bool

  init(_ selector: String, _ arguments: [ExpressionNode]) {
    self.selector = selector
    types = arguments.map(\.type)
    mayBeNil = arguments.contains(where: \.mayBeNil)
  }

  var element: ExpressionType { types[0].element }

  /// A value of a type; nil only if an argument is.
  func single(_ type: ExpressionType, risks: [RunTimeRisk] = []) -> FunctionResult {
    FunctionResult(type: type, mayBeNil: mayBeNil, risks: risks)
  }

  private var overflow: RunTimeRisk { .overflow(selector) }

  var elementRisks: [RunTimeRisk] { element.isNumber || element == .null ? [] : [.type(selector)] }

  var sum: FunctionResult {
    guard element.integerRange != nil else {
      return FunctionResult(
        type: element.isNumber ? element : .number,
        mayBeNil: false,
        risks: element == .double || element == .decimal ? elementRisks : elementRisks + [overflow]
      )
    }
    return FunctionResult(type: .integer(.int64), mayBeNil: false, risks: [overflow])
  }

  var mean: FunctionResult {
    FunctionResult(type: element == .decimal ? .number : .double, risks: elementRisks)
  }

  func arithmetic(_ operation: ArithmeticOperation) -> FunctionResult {
    if let first = types[0].integerRange, let second = types[1].integerRange {
      return integers(operation, first, second)
    }
    let isKnown = types.allSatisfy { $0 != .number && $0.isNumber }
    guard isKnown else { return FunctionResult(type: .number, risks: [overflow]) }
    guard types.contains(.decimal) else {
      // A NaN becomes nil, so any operation on doubles may give nil.
      return FunctionResult(type: .double)
    }
    let risks = [overflow] + (operation.divides ? [.divisionByZero(selector)] : [])
    return FunctionResult(type: .decimal, risks: risks)
  }

  private func integers(
    _ operation: ArithmeticOperation,
    _ first: ClosedRange<Int64>,
    _ second: ClosedRange<Int64>
  ) -> FunctionResult {
    var risks: [RunTimeRisk] = []
    let range = IntegerRange.result(of: operation, first, second)
    if range == nil { risks.append(overflow) }
    if operation.divides, second.contains(0) { risks.append(.divisionByZero(selector)) }
    return single(.integer(range ?? .int64), risks: risks)
  }

  var power: FunctionResult {
    types.allSatisfy { $0.integerRange != nil }
      ? single(.number) : FunctionResult(type: .number, risks: [overflow])
  }

  var absolute: FunctionResult {
    let type = types[0]
    guard let range = type.integerRange else {
      return single(type, risks: type == .double || type == .decimal ? [] : [overflow])
    }
    guard range.lowerBound != .min else { return single(.count, risks: [overflow]) }
    return single(.integer(0...max(abs(range.lowerBound), abs(range.upperBound))))
  }

  var bits: FunctionResult {
    let risks: [RunTimeRisk] = types.contains { $0.integerRange == nil } ? [.type(selector)] : []
    return single(.integer(.int64), risks: risks)
  }
}
