/// Why a pattern is refused, with the column in the pattern, from 1, in Unicode scalars.
package enum RegularExpressionFault: Error, Hashable, Sendable {
  /// The pattern violates the grammar.
  case invalid(String, column: Int)
  /// A construct that needs backtracking.
  case needsBacktracking(String, column: Int)
  /// A construct that is, or may be, regular but is not supported.
  case unsupported(String, column: Int)
  /// Repetitions make more states than allowed.
  case tooManyStates(limit: Int, column: Int)
  /// Groups or sets are nested too deeply.
  case tooDeep(limit: Int, column: Int)
}

extension RegularExpressionFault: CustomStringConvertible {
  /// The error as a phrase about the pattern.
  package var description: String {
    switch self {
    case .invalid(let reason, let column):
      "is not a regular expression: at character \(column) \(reason)"
    case .needsBacktracking(let what, let column):
      "cannot be matched in linear time: at character \(column) stands \(what)"
    case .unsupported(let what, let column):
      "cannot be matched: at character \(column) stands \(what), which is not supported"
    case .tooManyStates(let limit, let column):
      "is too large: at character \(column) it has more than \(limit) states"
    case .tooDeep(let limit, let column):
      "is too deep: at character \(column) it has more than \(limit) levels"
    }
  }
}
