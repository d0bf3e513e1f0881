package import BulkSupport
internal import BulkModel

/// A function of `NSExpression`, or a method of one of Foundation's classes that `FUNCTION` calls.
///
/// Each row of the tables is one; several classes may have a method of the same selector.
package struct Function: Sendable {
  package struct Example: Hashable, Sendable {
    package let call: String
    package let value: String
  }

  /// The value for the first operand and the arguments after it; `nil` if the first one belongs to another class.
  ///
  /// Functions of single values return nil for nil; functions of collections ignore nil. No method is called for
  /// nil.
  typealias Body = @Sendable (EvaluatedValue, FunctionArguments) throws -> EvaluatedValue?
  typealias Typing = @Sendable (FunctionOperands) -> FunctionResult

  /// The selector, or the collection operator of a key path.
  let selector: String
  /// The types of the operands; the receiver of a method is the first.
  let parameters: [Parameter]
  /// The incremental form; `nil` for functions that need all elements at once.
  let fold: CollectionFold.Form?
  /// The example for help; `nil` for operators of key paths.
  private(set) var example: Example?
  private let typing: Typing
  private let body: Body

  init(
    _ selector: String,
    _ parameters: [Parameter],
    fold: CollectionFold.Form? = nil,
    gives typing: @escaping Typing,
    _ body: @escaping Body
  ) {
    self.selector = selector
    self.parameters = parameters
    self.fold = fold
    self.typing = typing
    self.body = body
  }

  func example(_ call: String, is value: String) -> Function {
    var result = self
    result.example = Example(call: call, value: value)
    return result
  }

  /// The method with an example: the receiver, the arguments and the value, as expressions.
  func example(of receiver: String, _ arguments: String = "", is value: String) -> Function {
    let arguments = arguments.isEmpty ? "" : ", \(arguments)"
    return example("FUNCTION(\(receiver), '\(selector)'\(arguments))", is: value)
  }

  func result(of operands: [ExpressionNode]) -> FunctionResult {
    typing(FunctionOperands(selector, operands))
  }

  /// The value; `nil` if the class of the first operand has no such method.
  func value(
    _ first: EvaluatedValue,
    _ arguments: FunctionArguments
  ) throws(EvaluationFailure) -> EvaluatedValue? {
    do { return try body(first, arguments) } catch { throw EvaluationFailure(error) }
  }

  package var textFunction: TextFunction? { TextFunction(rawValue: selector) }

  static func named(_ selector: String) -> Function? { bySelector[selector] }

  private static let bySelector = Dictionary(
    uniqueKeysWithValues: (numbers + bits + collections + texts).map { ($0.selector, $0) }
  )
}

/// Methods of one selector differ in their receivers.
extension Function: Hashable {
  package static func == (first: Function, second: Function) -> Bool {
    first.selector == second.selector && first.parameters == second.parameters
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(selector) }
}

enum Parameter: Hashable {
  case text, number, integer, date, binary, uuid, uri, collection
  /// The operands of a function; integers keep all their bits.
  case numbers, integers
  /// A value that has a text form.
  case described
  /// `{location, length}`.
  case range
  /// A class method of `NSCharacterSet` with constant arguments.
  case characters
  /// `"compare:"` and the like.
  case selector
  /// Any value, nil included.
  case any

  func accepts(_ type: ExpressionType) -> Bool {
    switch self {
    case .text, .selector: type == .string
    case .number, .integer, .numbers: type.isNumber
    case .integers: type.integerRange != nil || type == .number
    case .date: type == .date
    case .binary: type == .binary
    case .uuid: type == .uuid
    case .uri: type == .uri
    case .collection, .range: type.isCollection
    case .described: CastType.string.alwaysSucceeds(from: type) != nil
    case .any: type != .composite
    case .characters: false
    }
  }

  var expected: String {
    switch self {
    case .text: "a string"
    case .number: "a number"
    case .numbers: "numbers"
    case .integer: "an integer"
    case .integers: "integers"
    case .date: "a date"
    case .binary: "binary data"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .collection: "a collection"
    case .range: "a range {location, length}"
    case .characters: "a set of characters of CAST(\"NSCharacterSet\", \"Class\")"
    case .selector: "the selector compare: or caseInsensitiveCompare:"
    case .described, .any: "a value"
    }
  }
}

struct FunctionResult {
  let type: ExpressionType
  var mayBeNil = true
  var risks: [RunTimeRisk] = []
  /// Whether it is an element of the receiver, or has elements of the receiver alone.
  var keepsElements = false
  /// Whether some operands of the right types make the row fail.
  var mayFail = false

  /// The same, or nil.
  var orNil: FunctionResult { with(\.mayBeNil) }
  /// The same, unless the row fails.
  var orFailure: FunctionResult { with(\.mayFail) }
  fileprivate var ofElements: FunctionResult { with(\.keepsElements) }

  private func with(_ flag: WritableKeyPath<FunctionResult, Bool>) -> FunctionResult {
    var result = self
    result[keyPath: flag] = true
    return result
  }
}

/// The operands of a call when it is compiled, and the types of results that follow from theirs.
struct FunctionOperands {
  let selector: String
  let types: [ExpressionType]
  let mayBeNil: Bool
  private let receiverMayBeNil: Bool

  init(_ selector: String, _ operands: [ExpressionNode]) {
    self.selector = selector
    types = operands.map(\.type)
    mayBeNil = operands.contains(where: \.mayBeNil)
    receiverMayBeNil = operands[0].mayBeNil
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

/// The results of methods, which are nil if the receiver is.
extension FunctionOperands {
  func answer(_ type: ExpressionType) -> FunctionResult {
    FunctionResult(type: type, mayBeNil: receiverMayBeNil)
  }

  var text: FunctionResult { answer(.string) }
  var texts: FunctionResult { answer(.collection(of: .string)) }
  var flag: FunctionResult { answer(.boolean) }
  var real: FunctionResult { answer(.double) }
  var binary: FunctionResult { answer(.binary) }
  var count: FunctionResult { answer(.count) }
  var order: FunctionResult { answer(.order) }
  var receiver: FunctionResult { answer(types[0]).ofElements }
  var receiverElement: FunctionResult { answer(element).ofElements }

  /// A collection of the receiver's elements and of the argument or its elements.
  var joint: FunctionResult {
    let argument = types[1]
    return answer(types[0].union(argument.isCollection ? argument : .collection(of: argument)))
  }
}
