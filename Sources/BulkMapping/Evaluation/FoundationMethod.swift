internal import BulkCoding
internal import BulkModel

/// A method of one of Foundation's classes that expressions may call with `FUNCTION`.
///
/// Each row of a class's table makes one; several classes may have a method of the same selector.
final class FoundationMethod: Sendable {
  /// The value of a call; `nil` if the receiver is of another class.
  typealias Body = @Sendable (EvaluatedValue, MethodArguments) throws -> EvaluatedValue?

  let selector: String
  let parameters: [MethodParameter]
  let result: MethodResult
  /// Whether values of a type have the method.
  let isReceived: @Sendable (ExpressionType) -> Bool
  private let body: Body

  init(
    _ selector: String,
    _ parameters: [MethodParameter],
    _ result: MethodResult,
    receivedBy isReceived: @escaping @Sendable (ExpressionType) -> Bool,
    body: @escaping Body
  ) {
    self.selector = selector
    self.parameters = parameters
    self.result = result
    self.isReceived = isReceived
    self.body = body
  }

  /// The result of a call; `nil` if the class of the receiver has no such method.
  func value(
    of receiver: EvaluatedValue,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue? {
    do { return try body(receiver, arguments) } catch { throw EvaluationFailure(error) }
  }

  /// The row of the method, with an example for help: the receiver, the arguments and the value, as
  /// expressions.
  func example(
    _ receiver: String,
    _ arguments: String = "",
    is value: String
  ) -> ExampleRow<FoundationMethod> {
    ExampleRow(self, "FUNCTION(\(receiver), '\(selector)'", arguments, is: value)
  }
}

extension FoundationMethod: Hashable {
  static func == (first: FoundationMethod, second: FoundationMethod) -> Bool { first === second }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension FoundationMethod {
  /// The methods, class by class, with titles for help.
  static let classes: [(title: String, rows: [ExampleRow<FoundationMethod>])] = [
    ("NSString: texts", texts), ("NSString: questions", textQueries), ("NSString: paths", paths),
    ("NSNumber", numbers), ("NSDecimalNumber", decimals), ("NSDate", dates), ("NSData", data),
    ("NSArray, NSSet and NSOrderedSet", collections), ("NSArray and NSOrderedSet", arrays),
    ("NSSet", sets), ("All values", objects),
  ]

  private static let bySelector = Dictionary(
    grouping: classes.flatMap(\.rows).map(\.entry),
    by: \.selector
  )

  /// The methods of a selector; none if no class has one.
  static func methods(of selector: String) -> [FoundationMethod] { bySelector[selector] ?? [] }

  /// The selector with the most similar name; `nil` if none is similar.
  static func nearest(to selector: String) -> String? {
    let known = KeyedSelector.allCases.map(\.rawValue) + bySelector.keys.sorted()
    return NearestName.of(selector, among: known)
  }
}

/// The receivers of a class's methods; called with a selector, it makes the method.
struct ReceiverClass<Receiver>: Sendable {
  /// Whether values of a type are receivers.
  let isReceived: @Sendable (ExpressionType) -> Bool
  /// The value as a receiver; `nil` for values of other classes.
  let receiver: @Sendable (EvaluatedValue) -> Receiver?

  func callAsFunction(
    _ selector: String,
    _ parameters: MethodParameter...,
    gives result: MethodResult,
    _ body: @escaping @Sendable (Receiver, MethodArguments) throws -> EvaluatedValue
  ) -> FoundationMethod {
    FoundationMethod(selector, parameters, result, receivedBy: isReceived) { [receiver] in
      guard let receiver = receiver($0) else { return nil }
      return try body(receiver, $1)
    }
  }
}

/// The type of a parameter of a method, or of all parameters of a function.
enum MethodParameter: Hashable {
  case text, number, integer, date, collection
  /// The operands of a function; integers keep all their bits.
  case numbers, integers
  /// `{location, length}`.
  case range
  /// A class method of `NSCharacterSet` with constant arguments.
  case characters
  /// `"compare:"` and the like.
  case selector
  /// Any value, nil included.
  case any

  /// Whether values of a type may be arguments.
  func accepts(_ type: ExpressionType) -> Bool {
    switch self {
    case .text, .selector: type == .string
    case .number, .integer, .numbers: type.isNumber
    case .integers: type.integerRange != nil || type == .number
    case .date: type == .date
    case .collection, .range: type.isCollection
    case .any: true
    case .characters: false
    }
  }

  /// The accepted types, for messages.
  var expected: String {
    switch self {
    case .text: "a string"
    case .number: "a number"
    case .numbers: "numbers"
    case .integer: "an integer"
    case .integers: "integers"
    case .date: "a date"
    case .collection: "a collection"
    case .range: "a range {location, length}"
    case .characters: "a set of characters of CAST(\"NSCharacterSet\", \"Class\")"
    case .selector: "the selector compare: or caseInsensitiveCompare:"
    case .any: "a value"
    }
  }
}

struct MethodResult: Sendable {
  private enum Kind: Hashable {
    case type(ExpressionType), receiver, element, joint
  }

  private let kind: Kind
  /// Whether a receiver that is not nil may give nil.
  private(set) var mayBeNil = false
  /// Whether some receivers or arguments of the right types make the row fail.
  private(set) var mayFail = false

  static func type(_ type: ExpressionType) -> MethodResult { MethodResult(kind: .type(type)) }
  /// The receiver's own type.
  static let receiver = MethodResult(kind: .receiver)
  /// The type of the receiver's elements.
  static let element = MethodResult(kind: .element)
  /// A collection of the receiver's elements and of the argument or its elements.
  static let joint = MethodResult(kind: .joint)

  static let text = type(.string)
  static let texts = type(.collection(of: .string))
  static let boolean = type(.boolean)
  static let double = type(.double)
  static let decimal = type(.decimal)
  static let count = type(.count)
  static let order = type(.order)

  static func integer(_ range: ClosedRange<Int64>) -> MethodResult { type(.integer(range)) }

  /// The same, or nil.
  var orNil: MethodResult { MethodResult(kind: kind, mayBeNil: true, mayFail: mayFail) }

  /// The same, unless the row fails.
  var orFailure: MethodResult { MethodResult(kind: kind, mayBeNil: mayBeNil, mayFail: true) }

  /// Whether the result has elements of the receiver, or is one.
  var givesElements: Bool { kind == .element || kind == .receiver }

  /// The type for a receiver and arguments of some types.
  func type(of operands: [ExpressionType]) -> ExpressionType {
    let receiver = operands[0]
    switch kind {
    case .type(let type): return type
    case .receiver: return receiver
    case .element: return receiver.element
    case .joint:
      guard let argument = operands.last, operands.count > 1 else { return receiver }
      return receiver.union(argument.isCollection ? argument : .collection(of: argument))
    }
  }
}

/// A call of a method: the methods of its selector that the receiver may have.
package struct MethodCall: Hashable, Sendable {
  package let selector: String
  /// The methods, one a class.
  let methods: [FoundationMethod]
  /// The argument that is a set of characters.
  let characters: CharacterSetConstant?

  /// The result for a receiver; nil gives nil.
  func value(
    of receiver: EvaluatedValue,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !receiver.isNull else { return .null }
    for method in methods {
      if let value = try method.value(of: receiver, arguments) { return value }
    }
    throw EvaluationFailure("\(receiver.kind) does not respond to \(selector)")
  }
}
