/// A regular expression that a whole text is compared with, in time linear in the text.
///
/// The language is the regular part of ICU's: literals, escapes, `.`, sets, groups, alternatives,
/// quantifiers, anchors and flags. What needs backtracking is refused. All states of a
/// nondeterministic automaton are followed at once, so a text costs at most its scalars times the
/// states, and memory depends on the states alone.
package struct RegularExpression: Sendable {
  /// The largest number of states, to which the members of sets are added; a counted repetition has
  /// the states of its copies.
  package static let stateLimit = 10_000
  /// How many groups or sets may stand inside one another.
  package static let depthLimit = 250

  private let automaton: Automaton

  /// Compiles a pattern.
  ///
  /// - Throws: ``RegularExpressionFault`` with the place in the pattern.
  package init(
    _ pattern: String,
    isCaseInsensitive: Bool = false
  ) throws(RegularExpressionFault) {
    var parser = RegularExpressionParser(pattern, isCaseInsensitive: isCaseInsensitive)
    automaton = try parser.parsed()
  }

  /// Whether the whole of a text matches, a line break at its end included.
  package func matchesWhole(_ text: String) -> Bool { matchesWhole(text, WorkWatch()) }

  /// Whether the whole of a text matches, as long as the answer is wanted.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - watch: Counts each state that is followed over each scalar; when it stops, the answer is no.
  /// - Returns: Whether it matches.
  package func matchesWhole(_ text: String, _ watch: WorkWatch) -> Bool {
    var simulation = AutomatonSimulation(of: automaton, text)
    return simulation.accepts(watch)
  }
}
