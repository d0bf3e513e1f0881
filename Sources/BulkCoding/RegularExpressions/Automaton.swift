/// The states of a nondeterministic automaton; the text matches if it leads past the last one.
struct Automaton: Sendable {
  /// What a state matches, and its successor as an offset from the state itself.
  ///
  /// States without an offset lead to the next one.
  enum State: Sendable {
    /// One scalar.
    case scalar(Unicode.Scalar)
    /// One scalar whose simple case folding is this.
    case foldedScalar(Unicode.Scalar)
    /// One scalar whose full case folding occurs in a run at an offset; advances by the length of that
    /// folding.
    case foldedRun(Int, offset: Int)
    /// One scalar in a set.
    case set(Int)
    /// One scalar that is not a line terminator.
    case withinLine(onlyLineFeeds: Bool)
    /// One scalar, or a carriage return and line feed, of which the next state matches the line feed;
    /// every other scalar skips that state.
    case any
    /// A line terminator, in the same way.
    case lineBreak
    /// A condition on the position.
    case assertion(Assertion)
    /// Leads to two states.
    case split(Int, Int)
    /// Leads to another state.
    case jump(Int)
  }

  /// A condition on a position between two scalars.
  enum Assertion: Sendable {
    case textStart
    case textEnd
    /// The end of the text, or the line break at its end.
    case lastLineEnd(onlyLineFeeds: Bool)
    case lineStart(onlyLineFeeds: Bool)
    case lineEnd(onlyLineFeeds: Bool)
    case wordBoundary
    case noWordBoundary
  }

  var states: [State] = []
  var sets: [ScalarSet] = []
  /// Literals with full case folding.
  var runs: [[Unicode.Scalar]] = []
}

extension [Automaton.State] {
  /// The states of an alternation.
  static func alternatives(_ parts: [Self]) -> Self {
    let end = parts.reduce(-2) { $0 + $1.count + 2 }
    var states: Self = []
    for part in parts.dropLast() {
      states.append(.split(1, part.count + 2))
      states += part
      states.append(.jump(end - states.count))
    }
    return states + (parts.last ?? [])
  }

  /// The number of states of a repetition; `nil` if it overflows.
  func repeatedCount(_ least: Int, _ greatest: Int?) -> Int? {
    let (required, overflow) = count.multipliedReportingOverflow(by: least)
    guard !overflow else { return nil }
    guard let greatest else { return least == 0 ? count + 2 : required + 1 }
    let (optional, more) = (count + 1).multipliedReportingOverflow(by: greatest - least)
    let (sum, most) = required.addingReportingOverflow(optional)
    return more || most ? nil : sum
  }

  /// The states of a repeated part, which must not be empty.
  func repeated(_ least: Int, _ greatest: Int?) -> Self {
    var states: Self = []
    for _ in 0..<least { states += self }
    guard let greatest else {
      if least > 0 { return states + [.split(-count, 1)] }
      return [.split(1, count + 2)] + self + [.jump(-count - 1)]
    }
    let end = states.count + (count + 1) * (greatest - least)
    for _ in least..<greatest {
      states.append(.split(1, end - states.count))
      states += self
    }
    return states
  }
}
