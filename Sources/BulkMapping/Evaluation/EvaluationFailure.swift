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
