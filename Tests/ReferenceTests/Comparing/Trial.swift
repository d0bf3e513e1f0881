import BulkTestSupport

/// Migrates a scenario as the project does, and holds the outcome against the reference.
struct Trial {
  private let scenario: Scenario
  private let path: MigrationPath
  /// Statements that are run in the store that was made, before it is compared.
  private let damage: String?
  private let directory = TemporaryDirectory()

  /// What a scenario comes to otherwise than in the reference; `nil` if it cannot be planned.
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
  }

  private func differences() throws -> [Difference]? {
    let source = try scenario.write(to: directory.path("source.sqlite"))
    try TestStore.write(try scenario.model.model(), to: directory.path("source.mom"))
    try TestStore.write(try scenario.step.model.model(isMade: true), to: directory.path("made.mom"))
    let model = try scenario.step.mapping(path.style)
    for (name, text) in zip(mappings, texts(model)) {
      try text.write(toFile: name, atomically: true, encoding: .utf8)
    }
    let plan: MigrationPlan
    do {
      plan = try Planner.plan(request)
    } catch {
      return nil
    }
    let objects = SourceObjects(try StoreContents(of: source, scenario.model))
    let expected = ReferenceMigrator.migrate(objects, by: scenario.step)
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
    let made = StoreFile(directory.path("made.sqlite"))
    if let damage { try made.execute(damage) }
    let found = try StoreContents(of: made, scenario.step.model)
    return Comparison(expected, with: found, isEvaluated: isEvaluated).differences
  }

  /// The files that together are the mapping.
  private var mappings: [String] {
    let names = path == .files ? ["0.json", "1.json", "2.json"] : ["all.json"]
    return names.map { directory.path($0) }
  }

  /// What is written to the files of a mapping.
  private func texts(_ model: MappingModel) -> [String] {
    switch path {
    case .sql, .evaluated, .policy, .mixed: return [model.json]
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

  private func run(_ plan: MigrationPlan) throws {
    var migration = Migration(inTestProcess: plan)
    migration.policies = PolicyRegistry([MappingStyle.policyName: DefaultPolicy()])
    _ = try migration.run()
  }

  private var request: PlanRequest {
    var request = PlanRequest()
    request.source = directory.path("source.sqlite")
    request.sourceModel = directory.path("source.mom")
    request.destination = directory.path("made.sqlite")
    request.destinationModel = directory.path("made.mom")
    request.rebuilds = true
    request.mappingFiles = mappings
    return request
  }

  /// Whether a mapping, by its name, computes an attribute.
  private var isEvaluated: (String) -> Bool {
    let mappings = scenario.step.mappings
    let names = Set(
      mappings.indices.filter { path.style(at: $0) == .evaluated }.map { mappings[$0].name }
    )
    return { names.contains($0) }
  }
}

/// A policy that does what is done without one.
struct DefaultPolicy: EntityMigrationPolicy {
  func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    let object = try manager.evaluate(mapping, forSource: source)
    try manager.insert(object, forSource: source, in: mapping)
  }
}

/// A way in which the project carries out a migration.
enum MigrationPath: String, CaseIterable, Sendable {
  /// By SQL alone.
  case sql
  /// By mappings that compute an attribute and a filter that SQL cannot say.
  case evaluated
  /// By mappings that have a policy that does what is done without one.
  case policy
  /// By mappings of all three kinds.
  case mixed
  /// By mappings of all three kinds, in three files that together are one mapping.
  case files
  /// By mappings of all three kinds, with a pass for every source entity.
  case passes

  /// How the mapping at a place makes its objects.
  func style(at position: Int) -> MappingStyle {
    switch self {
    case .sql: .plain
    case .evaluated: .evaluated
    case .policy: .policy
    case .mixed, .files, .passes: [.plain, .evaluated, .policy][position % 3]
    }
  }
}
