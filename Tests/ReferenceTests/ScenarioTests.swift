import Testing

/// Scenarios by chance.
@Suite("Scenarios")
struct ScenarioTests {
  @Test func `every kind of case occurs often enough`() {
    var counts: [Trait: Int] = [:]
    for seed in 0..<UInt64(500) {
      for trait in Scenario(seed: seed).traits { counts[trait, default: 0] += 1 }
    }
    #expect(Trait.allCases.filter { counts[$0] ?? 0 < 10 } == [])
  }

  @Test func `a seed gives the same scenario every time`() {
    #expect(Scenario(seed: 17) == Scenario(seed: 17))
    #expect(Scenario(seed: 17) != Scenario(seed: 18))
  }
}
