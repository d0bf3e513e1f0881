/// A refusal that a request may override.
public enum PlanAllowance: String, Codable, Hashable, Sendable, CaseIterable {
  /// An inferred step by which no entity continues, so that all objects are lost.
  case replacement
  /// An inferred step that renames entities or properties that CloudKit's records name, in a store
  /// that is mirrored.
  case mirroredRenames = "mirrored-renames"
  /// Links that lead to external values outside of the folder of the store.
  case externalLinks = "external-links"

  /// The allowance, as a clause for help.
  package var explanation: String {
    switch self {
    case .replacement: "no entity continues, all objects go"
    case .mirroredRenames:
      "a mirrored store gets new names, which CloudKit's records do not have"
    case .externalLinks: "links lead to values outside of the folder of the store"
    }
  }
}
