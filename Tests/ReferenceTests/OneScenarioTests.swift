import Foundation
import Testing

/// A scenario that the environment names by its number and path.
private struct Asked {
  let seed: UInt64
  let path: MigrationPath

  static let one: Asked? = {
    let environment = ProcessInfo.processInfo.environment
    guard let seed = environment["RELATIONSHIPS_SCENARIO"].flatMap({ UInt64($0) }) else {
      return nil
    }
    let path = environment["RELATIONSHIPS_PATH"].flatMap { MigrationPath(rawValue: $0) }
    return Asked(seed: seed, path: path ?? .sql)
  }()
}

/// Looks at a difference that a campaign has found: first as it is, then cut down.
@Suite(
  "One scenario",
  .enabled(
    if: Asked.one != nil,
    "RELATIONSHIPS_SCENARIO=number RELATIONSHIPS_PATH=path asks for one"
  )
)
struct OneScenarioTests {
  @Test func `it comes out as plain objects do`() throws {
    let asked = try #require(Asked.one)
    let scenario = Scenario(seed: asked.seed, steps: asked.path.steps)
    let verdict = try Trial.verdict(on: scenario, by: asked.path)
    switch verdict {
    case .refused(let reason): Issue.record("\(scenario.literal)\nrefused: \(reason)")
    case .compared(let differences):
      guard !differences.isEmpty else { return }
      let texts = differences.map(\.description).joined(separator: "\n")
      Issue.record("\(scenario.literal)\n\(texts)")
      let small = Shrinker(scenario, differences, trials: 1000) { smaller in
        try Trial.verdict(on: smaller, by: asked.path).differences
      }
      let smallTexts = small.differences.map(\.description).joined(separator: "\n")
      Issue.record("\(small.scenario.literal)\n\(smallTexts)")
    }
  }
}
