/// Many random scenarios over one path, and what came of them.
struct Campaign {
  /// A scenario that went wrong.
  struct Failure {
    let seed: UInt64
    let path: MigrationPath
    let scenario: Scenario
    let differences: [Difference]
    let isShrunk: Bool
  }

  let path: MigrationPath
  /// How many failures are made small, which takes a while each.
  var shrinks = 2
  private(set) var plans = 0
  private(set) var failures: [Failure] = []

  init(over path: MigrationPath) { self.path = path }

  /// Tries the scenarios of some seeds until so many could be planned, or three times as many were
  /// tried.
  mutating func run(plans goal: Int, seeds: some Sequence<UInt64>) throws {
    let end = plans + goal
    for seed in seeds.prefix(3 * goal) where plans < end { try run(seed) }
  }

  private mutating func run(_ seed: UInt64) throws {
    let scenario = Scenario(seed: seed, steps: path.steps)
    switch try Trial.verdict(on: scenario, by: path) {
    case .refused: break
    case .compared(let differences):
      plans += 1
      if !differences.isEmpty { note(scenario, differences, seed) }
    }
  }

  private mutating func note(_ scenario: Scenario, _ differences: [Difference], _ seed: UInt64) {
    let isShrunk = shrinks > 0
    var (small, rest) = (scenario, differences)
    if isShrunk {
      shrinks -= 1
      let shrinker = Shrinker(scenario, differences, trials: 1000) { [path] smaller in
        try Trial.verdict(on: smaller, by: path).differences
      }
      (small, rest) = (shrinker.scenario, shrinker.differences)
    }
    failures.append(
      Failure(seed: seed, path: path, scenario: small, differences: rest, isShrunk: isShrunk)
    )
  }
}

extension Campaign.Failure: CustomStringConvertible {
  /// The seed and the differences, and of a small scenario its source.
  var description: String {
    let lines = ["seed \(seed), path \(path)"] + differences.map { "  \($0)" }
    return (lines + (isShrunk ? [scenario.literal] : [])).joined(separator: "\n")
  }
}
