/// The states of a nondeterministic automaton; the text matches if it leads past the last one.
struct Automaton: Sendable {
  /// The scalars that a state matches, and its successor as an offset from the state itself.
  ///
  /// States without an offset lead to the next one.
  enum State: Sendable {
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
    /// One scalar. After a carriage return, the next state matches a line feed; every other scalar
    /// skips that state.
    case any
    /// A line terminator, in the same way.
    case lineBreak
    /// A condition on the position.
    case assertion(Assertion)
    /// Leads to two states.
    case split(Int, Int)
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

/// Runs all states of an automaton over one text in parallel.
struct AutomatonSimulation {
  private let automaton: Automaton
  private var window: TextWindow
  private var current: [Int] = []
  private var following: [Int] = []
  private var waiting: [Int] = []
  /// For each state, the last step in which it was reached.
  private var reached: [Int]
  private var step = 0
  /// For each set, the last step in which it was queried, and the result.
  private var answers: [(step: Int, contains: Bool)]

  init(of automaton: Automaton, _ text: String) {
    self.automaton = automaton
    window = TextWindow(text)
    reached = Array(repeating: -1, count: automaton.states.count + 1)
    answers = Array(repeating: (-1, false), count: automaton.sets.count)
  }

  /// Whether the automaton accepts the text.
  mutating func accepts(_ watch: WorkWatch) -> Bool {
    reach(0)
    swap(&current, &following)
    while let scalar = window.current, !current.isEmpty {
      if watch.isStopped(after: current.count) { return false }
      window.advance()
      step += 1
      following.removeAll(keepingCapacity: true)
      for state in current {
        if let length = length(of: state, at: scalar) { reach(state + length) }
      }
      swap(&current, &following)
    }
    return window.current == nil && reached[automaton.states.count] == step
  }

  /// How far a state advances over a scalar; `nil` if it does not match.
  ///
  /// The window is positioned after the scalar.
  private mutating func length(of state: Int, at scalar: Unicode.Scalar) -> Int? {
    switch automaton.states[state] {
    case .scalar(let expected): return scalar == expected ? 1 : nil
    case .foldedScalar(let expected): return scalar.simpleCaseFolding == expected ? 1 : nil
    case .foldedRun(let run, let offset):
      let folded = scalar.fullCaseFolding
      return automaton.runs[run][offset...].starts(with: folded) ? folded.count : nil
    case .set(let set): return contains(set, scalar) ? 1 : nil
    case .withinLine(let onlyLineFeeds):
      return scalar.endsLine(onlyLineFeeds: onlyLineFeeds) ? nil : 1
    case .any: return scalar == "\r" && window.current == "\n" ? 1 : 2
    case .lineBreak:
      guard scalar.endsLine(onlyLineFeeds: false) else { return nil }
      return scalar == "\r" && window.current == "\n" ? 1 : 2
    case .assertion, .split, .jump: return nil
    }
  }

  /// Several states may query the same set; the result is reused.
  private mutating func contains(_ set: Int, _ scalar: Unicode.Scalar) -> Bool {
    if answers[set].step != step {
      answers[set] = (step, automaton.sets[set].contains(scalar))
    }
    return answers[set].contains
  }

  /// Follows transitions that consume no scalar.
  private mutating func reach(_ first: Int) {
    waiting.append(first)
    while let state = waiting.popLast() {
      guard reached[state] != step else { continue }
      reached[state] = step
      guard state < automaton.states.count else { continue }
      switch automaton.states[state] {
      case .split(let first, let second):
        waiting.append(state + second)
        waiting.append(state + first)
      case .jump(let target): waiting.append(state + target)
      case .assertion(let assertion): if window.satisfies(assertion) { waiting.append(state + 1) }
      case .scalar, .foldedScalar, .foldedRun, .set, .withinLine, .any, .lineBreak:
        following.append(state)
      }
    }
  }
}

/// A position in a text, with the surrounding scalars that conditions need.
struct TextWindow {
  private var rest: String.UnicodeScalarView.Iterator
  private var previous: Unicode.Scalar?
  /// The scalar after the position.
  private(set) var current: Unicode.Scalar?
  private var next: Unicode.Scalar?
  private var afterNext: Unicode.Scalar?
  /// Whether the last non-combining scalar before the position is a word character.
  private var isAfterWord = false

  init(_ text: String) {
    rest = text.unicodeScalars.makeIterator()
    current = rest.next()
    next = rest.next()
    afterNext = rest.next()
  }

  mutating func advance() {
    if let current, !current.isCombining { isAfterWord = current.isWordCharacter }
    (previous, current, next) = (current, next, afterNext)
    afterNext = rest.next()
  }

  func satisfies(_ assertion: Automaton.Assertion) -> Bool {
    switch assertion {
    case .textStart: previous == nil
    case .textEnd: current == nil
    case .lastLineEnd(let onlyLineFeeds): isAtLastLineEnd(onlyLineFeeds: onlyLineFeeds)
    case .lineStart(let onlyLineFeeds): isAtLineStart(onlyLineFeeds: onlyLineFeeds)
    case .lineEnd(let onlyLineFeeds): isAtLineEnd(onlyLineFeeds: onlyLineFeeds)
    case .wordBoundary: isAtWordBoundary
    case .noWordBoundary: !isAtWordBoundary
    }
  }

  private func isAtLastLineEnd(onlyLineFeeds: Bool) -> Bool {
    guard isAtLineEnd(onlyLineFeeds: onlyLineFeeds) else { return false }
    return next == nil || !onlyLineFeeds && current == "\r" && next == "\n" && afterNext == nil
  }

  /// A line begins after every line terminator except one at the end of the text.
  private func isAtLineStart(onlyLineFeeds: Bool) -> Bool {
    guard let previous else { return true }
    return current != nil && previous.endsLine(onlyLineFeeds: onlyLineFeeds)
  }

  private func isAtLineEnd(onlyLineFeeds: Bool) -> Bool {
    guard let current else { return true }
    guard current.endsLine(onlyLineFeeds: onlyLineFeeds) else { return false }
    return onlyLineFeeds || !(previous == "\r" && current == "\n")
  }

  private var isAtWordBoundary: Bool {
    guard let current else { return isAfterWord }
    return !current.isCombining && current.isWordCharacter != isAfterWord
  }
}

extension Unicode.Scalar {
  func endsLine(onlyLineFeeds: Bool) -> Bool {
    onlyLineFeeds ? self == "\n" : ScalarProperty.lineEnd.contains(self)
  }

  fileprivate var isWordCharacter: Bool { ScalarProperty.word.contains(self) }

  fileprivate var isCombining: Bool {
    value >= 0x80 && (properties.isGraphemeExtend || properties.generalCategory == .format)
  }
}
