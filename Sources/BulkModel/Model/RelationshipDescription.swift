/// A relationship of an entity (`NSRelationshipDescription`).
public struct RelationshipDescription: Hashable, Sendable {
  /// What happens to the destination objects when the owner is deleted, with Core Data's numbers.
  public enum DeleteRule: Int64, Hashable, Sendable {
    /// Nothing.
    case noAction = 0
    /// Their inverse is set to nil.
    case nullify = 1
    /// They are deleted too.
    case cascade = 2
    /// The deletion is refused.
    case deny = 3
  }

  /// The relationship's name, unique among the properties of its entity.
  public var name: String
  /// The name of the destination entity.
  public var destinationEntityName: String
  /// The name of the inverse relationship, if there is one.
  public var inverseName: String?
  /// Whether it is to-many.
  public var isToMany = false
  /// Whether it is ordered.
  public var isOrdered = false
  /// Whether it is optional.
  public var isOptional = false
  /// Whether it is transient, that is, not stored.
  public var isTransient = false
  /// Whether it is read-only.
  public var isReadOnly = false
  /// Whether the model requests an index; the store has one in any case.
  public var isIndexed = false
  /// The minimum number of objects if it is not empty.
  public var minCount: Int64 = 0
  /// The maximum number of objects; 0 is no limit.
  public var maxCount: Int64 = 1
  /// What happens to the destination objects when the owner is deleted.
  public var deleteRule = DeleteRule.nullify
  /// The renaming identifier, which matches it across model versions; its name if absent.
  public var renamingIdentifier: String?
  /// A text that changes the version hash.
  public var versionHashModifier: String?
  /// The user info.
  public var userInfo: [String: String] = [:]

  /// A to-one relationship without an inverse.
  public init(_ name: String, to destinationEntityName: String) {
    self.name = name
    self.destinationEntityName = destinationEntityName
  }

  /// The renaming identifier, or the name if there is none.
  public var canonicalName: String { renamingIdentifier ?? name }
}
