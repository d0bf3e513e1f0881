/// What is refused unless somebody says so.
public enum PlanAllowance: String, Codable, Hashable, Sendable, CaseIterable {
  /// An inferred step by which no entity continues, so that all objects go.
  case replacement
  /// An inferred step that renames what CloudKit's records know by name, in a store that is mirrored.
  case mirroredRenames = "mirrored-renames"

  /// What it allows, as a clause for help.
  package var explanation: String {
    switch self {
    case .replacement: "no entity continues, all objects go"
    case .mirroredRenames:
      "a mirrored store gets new names, which CloudKit's records do not have"
    }
  }
}
