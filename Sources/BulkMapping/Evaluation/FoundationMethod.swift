internal import BulkCoding
internal import BulkModel

/// The methods of one class, which share the kind of their receiver.
protocol ReceiverMethod: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The value of a receiver.
  associatedtype Receiver

  /// The value as a receiver; `nil` for values of other classes.
  static func receiver(_ value: EvaluatedValue) -> Receiver?

  /// Whether values of a type are receivers.
  static func isReceiver(_ type: ExpressionType) -> Bool

  /// The types of a call.
  var rule: MethodRule { get }

  /// The result of a call.
  func value(
    of receiver: Receiver,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue
}

/// A method of one of Foundation's classes that expressions may call with `FUNCTION`.
///
/// Several classes may have a method of the same selector.
enum FoundationMethod: Hashable, Sendable {
  case text(TextMethod)
  case collection(CollectionMethod)

  /// All methods, class by class.
  static let all: [FoundationMethod] =
    TextMethod.allCases.map { .text($0) } + CollectionMethod.allCases.map { .collection($0) }

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
    case .collection(let method): method
    }
  }

  var selector: String { methods.rawValue }

  var rule: MethodRule { methods.rule }

  /// A call in an expression, and its value.
  var example: MethodExample {
    let rule = rule
    let arguments = rule.example.arguments.isEmpty ? "" : ", \(rule.example.arguments)"
    return MethodExample(
      call: "FUNCTION(\(rule.example.receiver), '\(selector)'\(arguments))",
      value: rule.example.value
    )
  }

  /// Whether values of a type have the method.
  func isReceived(by type: ExpressionType) -> Bool {
    Swift.type(of: methods).isReceiver(type)
  }

  /// The result of a call; `nil` if the class of the receiver has no such method.
  func value(
    of receiver: EvaluatedValue,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue? {
    switch self {
    case .text(let method): try Self.value(of: receiver, method, arguments)
    case .collection(let method): try Self.value(of: receiver, method, arguments)
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
