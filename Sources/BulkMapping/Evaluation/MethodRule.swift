/// The parameter and result types of a method, and an example of a call.
struct MethodRule {
  /// The type of a parameter.
  enum Parameter: Hashable {
    case text, number, integer, date, data, collection
    /// `{location, length}`.
    case range
    /// A class method of `NSCharacterSet` with constant arguments.
    case characters
    /// `"compare:"` and the like.
    case selector
    /// Any value, nil included.
    case any
  }

  /// The type of the result.
  enum Result: Hashable {
    case type(ExpressionType)
    /// The receiver's own type.
    case receiver
    /// The type of the receiver's elements.
    case element
  }

  let parameters: [Parameter]
  let result: Result
  /// Whether a receiver that is not nil may give nil.
  let mayGiveNil: Bool
  /// Whether some receivers or arguments of the right types make the row fail.
  let mayFail: Bool
  /// An example: the receiver, the arguments and the value, as expressions.
  let example: (receiver: String, arguments: String, value: String)

  /// - Parameters:
  ///   - parameters: The types of the arguments.
  ///   - result: The type of the result.
  ///   - mayGiveNil: Whether a receiver that is not nil may give nil.
  ///   - mayFail: Whether some values of the right types make the row fail.
  ///   - receiver: The receiver of an example.
  ///   - arguments: Its arguments.
  ///   - value: Its value.
  init(
    _ parameters: Parameter...,
    gives result: Result,
    mayGiveNil: Bool = false,
    mayFail: Bool = false,
    of receiver: String,
    with arguments: String = "",
    is value: String
  ) {
    self.parameters = parameters
    self.result = result
    self.mayGiveNil = mayGiveNil
    self.mayFail = mayFail
    example = (receiver, arguments, value)
  }
}

extension MethodRule.Parameter {
  /// Whether values of a type may be arguments.
  func accepts(_ type: ExpressionType) -> Bool {
    switch self {
    case .text, .selector: type == .string
    case .number, .integer: type.isNumber
    case .date: type == .date
    case .data: type == .binary
    case .collection, .range: ExpressionCompiler.isCollection(type)
    case .any: true
    case .characters: false
    }
  }

  /// The accepted types, for messages.
  var expected: String {
    switch self {
    case .text: "a string"
    case .number: "a number"
    case .integer: "an integer"
    case .date: "a date"
    case .data: "binary data"
    case .collection: "a collection"
    case .range: "a range {location, length}"
    case .characters: "a set of characters of CAST(\"NSCharacterSet\", \"Class\")"
    case .selector: "the selector compare: or caseInsensitiveCompare:"
    case .any: "a value"
    }
  }
}
