/// A way in which the project carries out a migration.
enum MigrationPath: String, CaseIterable, Sendable {
  /// One step, by SQL alone.
  case sql
  /// One step whose mappings compute an attribute and a filter that SQL cannot say.
  case evaluated
  /// One step whose mappings have a policy that does what is done without one.
  case policy
  /// One step of mappings of all three kinds.
  case mixed
  /// One step of mappings of all three kinds, in three files that together are one mapping.
  case files
  /// One step of mappings of all three kinds, with a pass for every source entity.
  case passes
  /// Two steps that are done as one.
  case fused

  /// The paths of one step.
  static let ofOneStep = allCases.filter { $0.steps == 1 }

  /// The number of steps of a scenario.
  var steps: Int {
    switch self {
    case .sql, .evaluated, .policy, .mixed, .files, .passes: 1
    case .fused: 2
    }
  }

  /// How the mapping at a place makes its objects.
  func style(at place: Int) -> MappingStyle {
    switch self {
    case .sql, .fused: .plain
    case .evaluated: .evaluated
    case .policy: .policy
    case .mixed, .files, .passes: [.plain, .evaluated, .policy][place % 3]
    }
  }
}
