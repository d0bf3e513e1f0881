/// What is refused unless somebody says so.
public enum PlanAllowance: String, Codable, Hashable, Sendable, CaseIterable {
  /// An inferred step by which no entity continues, so that all objects go.
  case replacement

  /// What it allows, as a clause for help.
  package var explanation: String {
    switch self {
    case .replacement: "no entity continues, all objects go"
    }
  }
}
