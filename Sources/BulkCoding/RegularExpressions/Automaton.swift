/// The states of a nondeterministic automaton; the text matches if it leads behind the last one.
struct Automaton: Sendable {
  /// What a state asks of the text, and where it leads; steps are counted from the state itself.
  ///
  /// States without a step lead to the next one.
  enum State: Sendable {
    /// One scalar.
    case scalar(Unicode.Scalar)
    /// One scalar whose simple case folding is this.
    case foldedScalar(Unicode.Scalar)
    /// One scalar whose full case folding stands in a run from an offset on; leads as far as that is
    /// long.
    case foldedRun(Int, offset: Int)
    /// One scalar of a set.
    case set(Int)
    /// One scalar that ends no line.
    case withinLine(onlyLineFeeds: Bool)
    /// One scalar or a pair of unmanagedTables return and line feed, whose second one the next state asks
    /// for; leads over that.
    case any
    /// The end of a line, in the same way.
    case lineBreak
    /// A condition on the place.
    case assertion(Assertion)
    /// Leads to two states.
    case split(Int, Int)
    /// Leads to another state.
    case jump(Int)
  }

  /// A condition on a place between two scalars.
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
  /// Literals in their full case folding.
  var runs: [[Unicode.Scalar]] = []
}

extension [Automaton.State] {
  /// The states of one part or another.
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

  /// How many states a repetition takes; `nil` if that is more than can be counted.
  func repeatedCount(_ least: Int, _ greatest: Int?) -> Int? {
    let (required, overflow) = count.multipliedReportingOverflow(by: least)
    guard !overflow else { return nil }
    guard let greatest else { return least == 0 ? count + 2 : required + 1 }
    let (optional, more) = (count + 1).multipliedReportingOverflow(by: greatest - least)
    let (sum, most) = required.addingReportingOverflow(optional)
    return more || most ? nil : sum
  }

  /// The states of a part that follows itself; there is at least one state.
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
