import BulkVersions
import BulkCoding
import BulkExecute
import BulkMapping
import BulkPlan
import BulkTestSupport
import Foundation

/// Migrates a scenario as the project does, and holds the outcome against the reference.
struct Trial {
  private let scenario: Scenario
  private let path: MigrationPath
  /// Statements that are run in the store that was made, before it is compared.
  private let damage: String?
  private let directory: TemporaryDirectory

  /// What a scenario, which has as many steps as the path, comes to otherwise than in the reference; `nil` if it cannot be
  /// planned.
  static func differences(
    of scenario: Scenario,
    by path: MigrationPath,
    damagedBy sql: String? = nil
  ) throws -> [Difference]? {
    try Trial(scenario, path, damage: sql).differences()
  }

  private init(_ scenario: Scenario, _ path: MigrationPath, damage: String?) throws {
    self.scenario = scenario
    self.path = path
    self.damage = damage
    directory = try TemporaryDirectory()
  }

  private func differences() throws -> [Difference]? {
    _ = try scenario.write(to: store(0))
    try TestStore.write(try scenario.model.model(after: 0), to: model(0))
    for (index, step) in scenario.steps.enumerated() {
      try TestStore.write(try step.model.model(after: index + 1), to: model(index + 1))
      let model = try step.mapping(of: index + 1, path.style)
      for (name, text) in zip(mappings(index + 1), texts(model)) {
        try text.write(toFile: name, atomically: true, encoding: .utf8)
      }
    }
    for index in scenario.steps.indices {
      let found = try differences(over: index..<index + 1)
      guard found == [], scenario.steps.count > 1 else { return found }
    }
    return try differences(over: scenario.steps.indices)
  }

  private func store(_ step: Int) -> String { directory.path("\(step).sqlite") }
  private func model(_ step: Int) -> String { directory.path("\(step).mom") }
  private func mapping(_ step: Int) -> String { directory.path("\(step).json") }

  /// The files that together are the mapping of a step.
  private func mappings(_ step: Int) -> [String] {
    path == .files ? (0..<3).map { directory.path("\(step)-\($0).json") } : [mapping(step)]
  }

  /// What is written to the files of a mapping.
  private func texts(_ model: MappingModel) -> [String] {
    switch path {
    case .sql, .evaluated, .policy, .mixed, .fused: return [model.json]
    case .files:
      let all = model.entityMappings
      return (0..<3).map { part in
        let range = all.count * part / 3..<all.count * (part + 1) / 3
        return MappingModel(entityMappings: Array(all[range])).json
      }
    case .passes:
      let entities = Set(
        model.entityMappings.filter { $0.destinationEntityName != nil }
          .compactMap(\.sourceEntityName)
      )
      let lists = entities.sorted(by: >).map { "[\"\($0)\"]" }.joined(separator: ", ")
      return [
        model.json.replacing(
          "\"entityMappings\"",
          with: "\"passes\": [\(lists)], \"entityMappings\""
        )
      ]
    }
  }

  /// Carries out some steps as one.
  ///
  /// The reference takes the last of them, from the store that the steps before it have left: which keys
  /// objects have is for the project to choose.
  private func differences(over steps: Range<Int>) throws -> [Difference]? {
    let end = steps.upperBound
    let destination = steps.count == 1 ? store(end) : directory.path("fused.sqlite")
    let plan: MigrationPlan
    do {
      plan = try Planner.plan(request(steps, destination))
    } catch {
      return nil
    }
    let expected = try reference(after: end)
    do {
      try run(plan)
    } catch MigrationError.invalidObjects(let summary) {
      let isRight = summary.total == Int64(expected.violations)
      let difference = Difference(
        kind: .rule,
        text: "\(summary.total) rules are broken, not \(expected.violations): \(summary)"
      )
      return isRight ? [] : [difference]
    } catch {
      return [Difference(kind: .failure, text: "\(error)")]
    }
    let made = StoreFile(destination)
    if let damage { try made.execute(damage) }
    let found = try StoreContents(
      of: made,
      scenario.steps[end - 1].model,
      after: end
    )
    return Comparison(expected, with: found, isEvaluated: evaluated(end)).differences
  }

  private func run(_ plan: MigrationPlan) throws {
    var migration = Migration(inTestProcess: plan)
    migration.policies = PolicyRegistry([MappingStyle.policyName: DefaultPolicy()])
    _ = try migration.run()
  }

  private func request(_ steps: Range<Int>, _ destination: String) -> PlanRequest {
    let end = steps.upperBound
    var request = PlanRequest()
    request.source = store(steps.lowerBound)
    request.sourceModel = model(steps.lowerBound)
    request.destination = destination
    request.destinationModel = model(end)
    request.rebuilds = true
    if steps.count == 1 {
      request.mappingFiles = mappings(end)
    } else {
      request.through = (steps.lowerBound + 1..<end).map { model($0) }
      request.mappingsAlongRoute = steps.map { mapping($0 + 1) }
    }
    return request
  }

  /// What the reference makes, by a step, of the store that was there before it.
  private func reference(after end: Int) throws -> ReferenceObjects {
    let former = end == 1 ? scenario.model : scenario.steps[end - 2].model
    let source = try StoreContents(of: StoreFile(store(end - 1)), former, after: end - 1)
    return ReferenceMigrator.migrate(SourceObjects(source), by: scenario.steps[end - 1])
  }

  /// Whether a mapping of a step, by its name, computes an attribute.
  private func evaluated(_ end: Int) -> (String) -> Bool {
    let mappings = scenario.steps[end - 1].mappings
    let names = Set(
      mappings.indices.filter { path.style(at: $0) == .evaluated }.map { mappings[$0].name }
    )
    return { names.contains($0) }
  }
}
