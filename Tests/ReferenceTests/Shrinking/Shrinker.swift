/// Makes a scenario smaller as long as it goes wrong in the same way.
struct Shrinker {
  /// The scenario so far.
  private(set) var scenario: Scenario
  /// What goes wrong with it.
  private(set) var differences: [Difference]
  private let tryOut: (Scenario) throws -> [Difference]
  /// How often a smaller scenario may still be tried.
  private var trials: Int

  /// Shrinks a scenario that has differences; at most so many smaller ones are tried out.
  init(
    _ scenario: Scenario,
    _ differences: [Difference],
    trials: Int,
    _ tryOut: @escaping (Scenario) throws -> [Difference]
  ) {
    self.scenario = scenario
    self.differences = differences
    self.tryOut = tryOut
    self.trials = trials
    while shrink() {}
  }

  /// Goes over all smaller scenarios once.
  ///
  /// - Returns: Whether one was taken.
  private mutating func shrink() -> Bool {
    var index = 0
    var didShrink = false
    while true {
      let smaller = scenario.smaller
      guard index < smaller.count, trials > 0 else { return didShrink && trials > 0 }
      if take(smaller[index]) { didShrink = true } else { index += 1 }
    }
  }

  private mutating func take(_ smaller: Scenario) -> Bool {
    trials -= 1
    guard
      let found = try? tryOut(smaller),
      found.contains(where: { $0.kind == differences.first?.kind })
    else { return false }
    scenario = smaller
    differences = found.filter { $0.kind == differences.first?.kind }
    return true
  }
}
