public import BulkModel

/// How the objects of one model are mapped to objects of another (`NSMappingModel`).
public struct MappingModel: Hashable, Sendable {
  /// The entity mappings in execution order.
  public var entityMappings: [EntityMapping]

  /// A mapping model with entity mappings.
  public init(entityMappings: [EntityMapping] = []) { self.entityMappings = entityMappings }
}

/// How the objects of one entity are mapped to objects of another (`NSEntityMapping`).
public struct EntityMapping: Hashable, Sendable {
  /// What an entity mapping does, with Core Data's numbers (`NSEntityMappingType`).
  public enum Kind: Int64, Hashable, Sendable, CaseIterable {
    /// A migration policy makes the objects.
    case custom = 1
    case add = 2
    case remove = 3
    case copy = 4
    case transform = 5
  }

  /// The mapping's name, unique in its mapping model.
  public var name: String
  /// The type of the mapping.
  public var kind: Kind
  /// The source entity; `nil` for a new entity.
  public var sourceEntityName: String?
  /// The destination entity; `nil` for a removed one.
  public var destinationEntityName: String?
  /// The destination's attributes, by name.
  public var attributeMappings: [PropertyMapping] = []
  /// The destination's relationships, by name.
  public var relationshipMappings: [PropertyMapping] = []
  /// The filter for the source objects; `nil` for all objects of the source entity.
  public var filter: ValuePredicate?
  /// The name of the policy's class, with or without its module, if a policy makes the objects.
  public var entityMigrationPolicyClassName: String?
  /// A collection from each source object, for each element of which a destination object is made; `nil`
  /// where one is made from each source object.
  ///
  /// The element is `$element` in the values of attributes. Neither a collection that is nil nor an element
  /// that is nil gives an object.
  public var elements: ValueExpression?
  /// Which source objects become one destination object; `nil` where each becomes its own.
  public var uniqueness: ObjectUniqueness?
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

/// How a property of a destination object gets its value (`NSPropertyMapping`).
public struct PropertyMapping: Hashable, Sendable {
  /// The name of the destination property.
  public var name: String
  /// The expression for the value; with `nil` the property keeps the model's default value.
  public var valueExpression: ValueExpression?
  /// Values for the policy, by name.
  public var userInfo: [String: AttributeValue] = [:]

  /// A mapping of a property to the value of an expression.
  public init(_ name: String, _ valueExpression: ValueExpression?) {
    self.name = name
    self.valueExpression = valueExpression
  }
}

extension EntityMapping {
  /// The name that Xcode gives a mapping from and to some entities.
  static func usualName(_ source: String?, _ destination: String?) -> String {
    switch (source, destination) {
    case (let source?, let destination?): "\(source)To\(destination)"
    case (let only?, nil), (nil, let only?): only
    case (nil, nil): ""
    }
  }
}

extension EntityMapping.Kind {
  /// The name in mapping files.
  public var name: String {
    switch self {
    case .custom: "custom"
    case .add: "add"
    case .remove: "remove"
    case .copy: "copy"
    case .transform: "transform"
    }
  }

  init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}

/// A rule by which source objects that agree in some values become one destination object.
///
/// Entity mappings into the same entity by the same attributes share their objects.
public struct ObjectUniqueness: Hashable, Sendable {
  /// The source object whose values a destination object gets, and under whose key it is made.
  public enum Kept: String, Hashable, Sendable, CaseIterable {
    /// The first in the order of the entity mappings, then of the keys.
    case first
    /// The last in this order.
    case last
    /// The first; the others do not become the same object, but violate a rule, so that a run stops
    /// or leaves them out.
    case quarantine
  }

  /// The attributes of the destination that must agree.
  public var attributes: [String]
  /// The source object whose values count where others differ.
  public var kept: Kept

  /// A rule for some attributes.
  public init(_ attributes: [String], keeping kept: Kept = .first) {
    self.attributes = attributes
    self.kept = kept
  }

  package func isShared(with other: ObjectUniqueness) -> Bool {
    Set(attributes) == Set(other.attributes)
  }
}

/// The variable that stands for an element of the collection for which an entity mapping makes objects.
enum ElementVariable {
  static let name = "element"
}
