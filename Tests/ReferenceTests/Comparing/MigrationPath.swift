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
  func style(at place: Int) -> MappingStyle {
    switch self {
    case .sql: .plain
    case .evaluated: .evaluated
    case .policy: .policy
    case .mixed, .files, .passes: [.plain, .evaluated, .policy][place % 3]
    }
  }
}
