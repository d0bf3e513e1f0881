/// Many random scenarios over one path, and what came of them.
struct Campaign {
  let path: MigrationPath
  private(set) var plans = 0
  /// The scenarios that went wrong, each with its seed and its differences.
  private(set) var failures: [String] = []

  init(over path: MigrationPath) { self.path = path }

  /// Tries the scenarios of some seeds until so many could be planned, or all were tried.
  mutating func run(
    plans goal: Int,
    seeds: some Sequence<UInt64>,
    _ scenario: (UInt64) -> Scenario?
  ) throws {
    for seed in seeds where plans < goal {
      guard let scenario = scenario(seed),
        let differences = try Trial.differences(of: scenario, by: path)
      else { continue }
      plans += 1
      guard !differences.isEmpty else { continue }
      let texts = differences.map { "\n  \($0)" }.joined()
      failures.append("seed \(seed), path \(path)\(texts)\n\(scenario)")
    }
  }
}
