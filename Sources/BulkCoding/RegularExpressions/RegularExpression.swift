/// A regular expression that matches whole texts, in time linear in the text.
///
/// The language is the regular part of ICU's: literals, escapes, `.`, sets, groups, alternatives,
/// quantifiers, anchors and flags. Anything that needs backtracking is refused. All states of a
/// nondeterministic automaton run in parallel, so the time is at most proportional to the text's scalars
/// times the states, and memory depends on the states alone.
package struct RegularExpression: Sendable {
  /// The most states, including the members of sets; each copy in a counted repetition has its own
  /// states.
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

  /// Whether the whole text matches, including a line break at its end.
  package func matchesWhole(_ text: String) -> Bool { matchesWhole(text, WorkWatch()) }

  /// Whether the whole text matches; the match can be stopped.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - watch: Counts each state for each scalar; once it stops, the result is `false`.
  /// - Returns: Whether it matches.
  package func matchesWhole(_ text: String, _ watch: WorkWatch) -> Bool {
    var simulation = AutomatonSimulation(of: automaton, text)
    return simulation.accepts(watch)
  }
}
