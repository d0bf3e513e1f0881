/// A relationship of an entity (`NSRelationshipDescription`).
public struct RelationshipDescription: Hashable, Sendable {
  /// What becomes of the destination objects when the owner is deleted, with Core Data's numbers.
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
  /// The name of the entity that it leads to.
  public var destinationEntityName: String
  /// The name of the relationship that leads back, if there is one.
  public var inverseName: String?
  /// Whether it leads to many objects.
  public var isToMany = false
  /// Whether its objects have an order.
  public var isOrdered = false
  /// Whether it may be empty.
  public var isOptional = false
  /// Whether it is kept out of the store.
  public var isTransient = false
  /// Whether it may not be set.
  public var isReadOnly = false
  /// Whether the model asks for an index, which the store has in any case.
  public var isIndexed = false
  /// The least number of objects that a non-empty relationship holds.
  public var minCount: Int64 = 0
  /// The greatest number of objects; 0 is no limit.
  public var maxCount: Int64 = 1
  /// What becomes of the destination objects when the owner is deleted.
  public var deleteRule = DeleteRule.nullify
  /// The identifier by which it is found in another model version; its name where absent.
  public var renamingIdentifier: String?
  /// A text that changes the version hash.
  public var versionHashModifier: String?
  /// The developer's own notes.
  public var userInfo: [String: String] = [:]

  /// A to-one relationship without an inverse.
  public init(_ name: String, to destinationEntityName: String) {
    self.name = name
    self.destinationEntityName = destinationEntityName
  }

  /// What other model versions know it by.
  public var canonicalName: String { renamingIdentifier ?? name }
}
