internal import BulkCoding
internal import BulkModel

/// The methods of one class, which share the kind of their receiver.
protocol ReceiverMethod: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The value of a receiver.
  associatedtype Receiver

  /// The value as a receiver; `nil` for values of other classes.
  static func receiver(_ value: EvaluatedValue) -> Receiver?

  /// Whether values of a type are receivers.
  func isReceived(by type: ExpressionType) -> Bool

  /// The types of a call.
  var rule: MethodRule { get }

  /// The result of a call.
  func value(
    of receiver: Receiver,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue
}

extension ReceiverMethod where Receiver == ValueCollection {
  static func receiver(_ value: EvaluatedValue) -> ValueCollection? {
    if case .collection(let collection) = value { collection } else { nil }
  }

  func isReceived(by type: ExpressionType) -> Bool { ExpressionCompiler.isCollection(type) }
}

extension ReceiverMethod where Receiver == Number {
  static func receiver(_ value: EvaluatedValue) -> Number? {
    if case .attribute(let value) = value { Number(value) } else { nil }
  }

  func isReceived(by type: ExpressionType) -> Bool { type.isNumber }
}

extension ReceiverMethod where Receiver == String {
  static func receiver(_ value: EvaluatedValue) -> String? {
    if case .attribute(.string(let text)) = value { text } else { nil }
  }

  func isReceived(by type: ExpressionType) -> Bool { type == .string }
}

extension ReceiverMethod {
  /// A call in an expression, and its value.
  var example: MethodExample {
    let example = rule.example
    let arguments = example.arguments.isEmpty ? "" : ", \(example.arguments)"
    return MethodExample(
      call: "FUNCTION(\(example.receiver), '\(rawValue)'\(arguments))",
      value: example.value
    )
  }
}

/// A method of one of Foundation's classes that expressions may call with `FUNCTION`.
///
/// Several classes may have a method of the same selector.
enum FoundationMethod: Hashable, Sendable {
  case text(TextMethod)
  case textQuery(TextQueryMethod)
  case path(PathMethod)
  case number(NumberMethod)
  case decimal(DecimalMethod)
  case date(DateMethod)
  case data(DataMethod)
  case collection(CollectionMethod)
  case array(ArrayMethod)
  case set(SetMethod)
  case object(ObjectMethod)

  /// All methods, class by class.
  static let all: [FoundationMethod] = [
    TextMethod.allCases.map { .text($0) },
    TextQueryMethod.allCases.map { .textQuery($0) },
    PathMethod.allCases.map { .path($0) },
    NumberMethod.allCases.map { .number($0) },
    DecimalMethod.allCases.map { .decimal($0) },
    DateMethod.allCases.map { .date($0) },
    DataMethod.allCases.map { .data($0) },
    CollectionMethod.allCases.map { .collection($0) },
    ArrayMethod.allCases.map { .array($0) },
    SetMethod.allCases.map { .set($0) },
    ObjectMethod.allCases.map { .object($0) },
  ].flatMap(\.self)

  private static let bySelector = Dictionary(grouping: all, by: \.selector)

  /// The methods of a selector; none if no class has one.
  static func methods(of selector: String) -> [FoundationMethod] { bySelector[selector] ?? [] }

  /// The selector with the most similar name; `nil` if none is similar.
  static func nearest(to selector: String) -> String? {
    let known = KeyedSelector.allCases.map(\.rawValue) + Set(bySelector.keys).sorted()
    return NearestName.of(selector, among: known)
  }

  /// The methods of one class.
  private var methods: any ReceiverMethod {
    switch self {
    case .text(let method): method
    case .textQuery(let method): method
    case .path(let method): method
    case .number(let method): method
    case .decimal(let method): method
    case .date(let method): method
    case .data(let method): method
    case .collection(let method): method
    case .array(let method): method
    case .set(let method): method
    case .object(let method): method
    }
  }

  var selector: String { methods.rawValue }

  var rule: MethodRule { methods.rule }

  /// Whether values of a type have the method.
  func isReceived(by type: ExpressionType) -> Bool {
    methods.isReceived(by: type)
  }

  /// The result of a call; `nil` if the class of the receiver has no such method.
  func value(
    of receiver: EvaluatedValue,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue? {
    switch self {
    case .text(let method): try Self.value(of: receiver, method, arguments)
    case .textQuery(let method): try Self.value(of: receiver, method, arguments)
    case .path(let method): try Self.value(of: receiver, method, arguments)
    case .number(let method): try Self.value(of: receiver, method, arguments)
    case .decimal(let method): try Self.value(of: receiver, method, arguments)
    case .date(let method): try Self.value(of: receiver, method, arguments)
    case .data(let method): try Self.value(of: receiver, method, arguments)
    case .collection(let method): try Self.value(of: receiver, method, arguments)
    case .array(let method): try Self.value(of: receiver, method, arguments)
    case .set(let method): try Self.value(of: receiver, method, arguments)
    case .object(let method): try Self.value(of: receiver, method, arguments)
    }
  }

  private static func value<Method: ReceiverMethod>(
    of receiver: EvaluatedValue,
    _ method: Method,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue? {
    guard let receiver = Method.receiver(receiver) else { return nil }
    return try method.value(of: receiver, arguments)
  }
}

/// A call of a method in an expression, and its value as an expression.
package struct MethodExample: Hashable, Sendable {
  package let call: String
  package let value: String
}

/// A call of a method: the methods of its selector that the receiver may have.
package struct MethodCall: Hashable, Sendable {
  /// The methods, one a class.
  let methods: [FoundationMethod]
  /// The argument that is a set of characters.
  let characters: CharacterSetConstant?

  /// The selector of the methods.
  package let selector: String

  init(_ selector: String, _ methods: [FoundationMethod], _ characters: CharacterSetConstant?) {
    self.selector = selector
    self.methods = methods
    self.characters = characters
  }

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
