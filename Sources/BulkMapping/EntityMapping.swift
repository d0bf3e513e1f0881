public import BulkModel

/// How the objects of one entity become objects of another (`NSEntityMapping`).
public struct EntityMapping: Hashable, Sendable {
  /// What an entity mapping does, with Core Data's numbers (`NSEntityMappingType`).
  public enum Kind: Int64, Hashable, Sendable, CaseIterable {
    /// A migration policy makes the objects.
    case custom = 1
    /// The entity is new.
    case add = 2
    /// The entity is gone, and its objects with it.
    case remove = 3
    /// Objects stay as they are.
    case copy = 4
    /// Objects change by property mappings.
    case transform = 5
  }

  /// The mapping's name, unique in its mapping model.
  public var name: String
  /// What it does.
  public var kind: Kind
  /// The entity whose objects are read; `nil` for a new entity.
  public var sourceEntityName: String?
  /// The entity whose objects are made; `nil` for one that is gone.
  public var destinationEntityName: String?
  /// The destination's attributes, by name.
  public var attributeMappings: [PropertyMapping] = []
  /// The destination's relationships, by name.
  public var relationshipMappings: [PropertyMapping] = []
  /// Which objects are read, asked of each; `nil` for all objects of the source entity.
  public var filter: ValuePredicate?
  /// The name of the policy's class, with or without its module, where a policy makes the objects.
  public var entityMigrationPolicyClassName: String?
  /// Values for the policy, by name.
  public var userInfo: [String: AttributeValue] = [:]

  /// A mapping between two entities.
  public init(_ name: String, _ kind: Kind, from source: String?, to destination: String?) {
    self.name = name
    self.kind = kind
    sourceEntityName = source
    destinationEntityName = destination
  }
}
