/// A possible failure of a valid expression in individual rows.
package enum RunTimeRisk: Hashable, Sendable {
  /// The result of an integer operation does not fit into 64 bits.
  case overflow(String)
  /// An integer is divided by zero.
  case divisionByZero(String)
  /// A value cannot be cast.
  case cast(to: String)
  /// An index is out of bounds.
  case index
  /// A number is outside the attribute's range.
  case range(attribute: String, type: String)
  /// A required attribute may get nil.
  case missingValue(attribute: String)
  /// An argument of a method may be nil.
  case nilArgument(String)
  /// A method refuses some values, such as a range that is out of bounds.
  case method(String)
  /// A transformer refuses some values, or gives those of another type.
  case transformer(String)
  /// The type of a value is known only at run time, and may be wrong.
  case type(String)
}

extension RunTimeRisk: CustomStringConvertible {
  /// The risk as a sentence.
  package var description: String {
    switch self {
    case .overflow(let function): "the result of \(function) may not fit into 64 bits"
    case .divisionByZero(let function): "\(function) may divide by zero"
    case .cast(let type): "a value may not be castable to \(type)"
    case .index: "an index may be outside of its collection"
    case .range(let attribute, let type):
      "a value may be outside of the range of \(attribute), which is \(type)"
    case .missingValue(let attribute): "\(attribute) must have a value and may get none"
    case .nilArgument(let selector): "\(selector) may get nil as an argument, which it refuses"
    case .method(let selector): "\(selector) may refuse a value"
    case .transformer(let name): "transformer \(name) may refuse a value"
    case .type(let place): "\(place) may get a value of the wrong type"
    }
  }
}

/// Why an operation has no result for a row.
struct EvaluationFailure: Error {
  /// The reason, as a sentence.
  let message: String

  init(_ message: String) { self.message = message }

  static func overflow(_ function: ExpressionFunction) -> EvaluationFailure {
    EvaluationFailure("the result of \(function.rawValue) does not fit into 64 bits")
  }

  static func decimal(_ function: ExpressionFunction) -> EvaluationFailure {
    EvaluationFailure("\(function.rawValue) has no decimal result that 38 digits can hold")
  }

  static func division(_ function: ExpressionFunction) -> EvaluationFailure {
    EvaluationFailure("\(function.rawValue) divides by zero")
  }

  static func argumentCount(_ function: ExpressionFunction, _ found: Int) -> EvaluationFailure {
    EvaluationFailure("\(function.rawValue) cannot be called with \(found) arguments")
  }
}
