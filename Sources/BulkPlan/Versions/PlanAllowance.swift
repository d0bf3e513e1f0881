/// A refusal that a request may override.
public enum PlanAllowance: String, Codable, Hashable, Sendable, CaseIterable {
  /// An inferred step by which no entity continues, so that all objects are lost.
  case replacement
  /// An inferred step that renames entities or properties that CloudKit's records name, in a store
  /// that is mirrored.
  case mirroredRenames = "mirrored-renames"
  /// Links that lead to external values outside of the folder of the store.
  case externalLinks = "external-links"
  /// To-one relationships of mappings that get several objects, and take the first of them.
  case firstOfSeveral = "first-of-several"
  /// A persistent history that loses only the changes of removed entities, as Core Data's
  /// `NSPersistentHistoryAllowPartialHistoryMigration` asks; otherwise it is cut at the last of them.
  case partialHistory = "partial-history"

  package var explanation: String {
    switch self {
    case .replacement: "no entity is continued, and all objects are removed"
    case .mirroredRenames:
      "a store that is mirrored with CloudKit gets new names; its records keep the old ones"
    case .externalLinks: "symbolic links lead to values outside of the folder of the store"
    case .firstOfSeveral:
      "to-one relationships of mappings take the first of several objects, as in Core Data; a mapping file can say so "
        + "of each relationship"
    case .partialHistory:
      "of the persistent history only the changes of removed entities are removed, not all before the last of them"
    }
  }
}
