/// A regular expression that matches whole texts, in time linear in the text.
///
/// The language is the regular part of ICU's: literals, escapes, `.`, sets, groups, alternatives,
/// quantifiers, anchors and flags. Anything that needs backtracking is refused. All states of a
/// nondeterministic automaton run in parallel, so the time is at most proportional to the text's scalars
/// times the states, and memory depends on the states alone.
package struct RegularExpression: Sendable {
  /// The maximum number of states, including the members of sets; each copy in a counted repetition
  /// has its own states.
  package static let stateLimit = 10_000
  /// The nesting limit of groups and sets.
  package static let depthLimit = 250

  private let automaton: Automaton

  /// Compiles a pattern.
  ///
  /// - Throws: ``RegularExpressionFault`` with the position in the pattern.
  package init(
    _ pattern: String,
    isCaseInsensitive: Bool = false
  ) throws(RegularExpressionFault) {
    var parser = RegularExpressionParser(pattern, isCaseInsensitive: isCaseInsensitive)
    automaton = try parser.parsed()
  }

  /// Whether the whole text matches, including a line break at its end; each state is counted for each scalar, and
  /// `false` if the watch stops that.
  package func matchesWhole(_ text: String, _ watch: WorkWatch = WorkWatch()) -> Bool {
    var simulation = AutomatonSimulation(of: automaton, text)
    return simulation.accepts(watch)
  }
}

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
      "cannot be matched in linear time: at character \(column) there is \(what)"
    case .unsupported(let what, let column):
      "cannot be matched: at character \(column) there is \(what), which is not supported"
    case .tooManyStates(let limit, let column):
      "is too large: at character \(column) it has more than \(limit) states"
    case .tooDeep(let limit, let column):
      "is too deep: at character \(column) it has more than \(limit) levels"
    }
  }
}
