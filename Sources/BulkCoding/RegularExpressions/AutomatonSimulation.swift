/// Follows all states of an automaton through one text.
struct AutomatonSimulation {
  private let automaton: Automaton
  private var window: TextWindow
  private var current: [Int] = []
  private var following: [Int] = []
  private var waiting: [Int] = []
  /// By state: the last step in which it was reached.
  private var reached: [Int]
  private var step = 0
  /// By set: the last step in which it was asked, and what it said.
  private var answers: [(step: Int, contains: Bool)]

  init(of automaton: Automaton, _ text: String) {
    self.automaton = automaton
    window = TextWindow(text)
    reached = Array(repeating: -1, count: automaton.states.count + 1)
    answers = Array(repeating: (-1, false), count: automaton.sets.count)
  }

  /// Whether the text leads to the end.
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

  /// How far a state leads over a scalar; `nil` if it does not.
  ///
  /// The window stands behind the scalar.
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

  /// Many states may ask the same set; it is asked once.
  private mutating func contains(_ set: Int, _ scalar: Unicode.Scalar) -> Bool {
    if answers[set].step != step {
      answers[set] = (step, automaton.sets[set].contains(scalar))
    }
    return answers[set].contains
  }

  /// Follows what leads on without a scalar.
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
