import Testing

/// Scenarios by chance, how they are made small, and how they are printed.
@Suite("Scenarios")
struct ScenarioTests {
  @Test func `every kind of case occurs often enough`() {
    var counts: [Trait: Int] = [:]
    for seed in 0..<UInt64(500) {
      for trait in Scenario(seed: seed, steps: 1).traits { counts[trait, default: 0] += 1 }
    }
    #expect(Trait.allCases.filter { counts[$0] ?? 0 < 10 } == [])
  }

  @Test func `a seed gives the same scenario every time`() {
    #expect(Scenario(seed: 17, steps: 2) == Scenario(seed: 17, steps: 2))
    #expect(Scenario(seed: 17, steps: 2) != Scenario(seed: 18, steps: 2))
  }

  /// Goes wrong wherever a mapping with a filter reads an object whose key in `p1` leads to itself.
  private static func looped(_ scenario: Scenario) -> [Difference] {
    let isWrong = scenario.objects.contains { object in
      object.keys["p1"] == object.key
        && scenario.steps[0].mappings.contains { $0.source == object.entity && $0.filter != nil }
    }
    return isWrong ? [Difference(kind: .link, text: "looped")] : []
  }

  @Test func `what does not matter is left out, and the rest is printed as source`() {
    let model = ModelSketch(
      EntitySketch("Ash", .toMany("p2", "Fir", inverse: "q2", isOrdered: true)),
      EntitySketch("Fir", under: "Ash", .toOne("q2", "Ash", inverse: "p2"), .toOne("p1", "Ash"))
    )
    let scenario = Scenario(
      model,
      [
        ObjectSketch("Ash", 1, n: 3),
        ObjectSketch("Fir", 4, n: 1, ["p1": 4, "q2": 1], places: ["q2": 2048]),
        ObjectSketch("Fir", 6, ["p1": 1]),
      ],
      StepSketch(
        to: model,
        MappingSketch("Ash-Ash", from: "Ash", to: "Ash", .set("p2", .madeByAny("p2"))),
        MappingSketch("Fir-Fir", from: "Fir", to: "Fir", where: .above(0), .set("p1", .nothing))
      )
    )
    let small = Shrinker(scenario, Self.looped(scenario), trials: 1000, Self.looped)
    let expected = """
      Scenario(
        ModelSketch(EntitySketch("Ash"), EntitySketch("Fir", .toOne("p1", "Ash"))),
        [
          ObjectSketch("Fir", 4, ["p1": 4]),
        ],
        StepSketch(
          to: ModelSketch(EntitySketch("Fir")),
          MappingSketch("Fir-Fir", from: "Fir", to: "Fir", where: .above(0))
        )
      )
      """
    #expect(small.scenario.literal == expected)
  }
}
