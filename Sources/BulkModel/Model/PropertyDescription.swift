/// The settings that all kinds of properties of an entity share (`NSPropertyDescription`).
protocol PropertyDescription {
  static var settings: [ModelSetting<Self>] { get }
  var name: String { get }
  var isOptional: Bool { get set }
  var isReadOnly: Bool { get }
  var renamingIdentifier: String? { get set }
  var versionHashModifier: String? { get set }
  var userInfo: [String: String] { get set }
}

extension FetchedPropertyDescription: PropertyDescription {
  var isTransient: Bool { true }
  var isReadOnly: Bool { true }
  var isIndexed: Bool { false }
}

/// An attribute of an entity (`NSAttributeDescription`, with its derived and composite forms).
public struct AttributeDescription: PropertyDescription, Hashable, Sendable {
  /// The attribute's name, unique among the properties of its entity.
  public var name: String
  /// The type of its values.
  public var attributeType: AttributeType
  /// Whether it may be nil.
  public var isOptional = false
  /// Whether it is transient, that is, not stored.
  public var isTransient = false
  /// Whether it is read-only.
  public var isReadOnly = false
  /// Whether it has an old-style index.
  public var isIndexed = false
  /// Whether Spotlight indexes it.
  public var isIndexedBySpotlight = false
  /// The initial value in a new object; `null` and `nil` are the same here, so only `nil` is used.
  public var defaultValue: AttributeValue?
  /// Whether a large value may be stored in a file beside the store.
  public var allowsExternalBinaryDataStorage = false
  /// Whether persistent history keeps its value when the object is deleted.
  public var preservesValueInHistoryOnDeletion = false
  /// The name of the transformer of a transformable attribute.
  public var valueTransformerName: String?
  /// The class of its values, if the model names one.
  public var attributeValueClassName: String?
  /// The renaming identifier, which matches it across model versions; its name if absent.
  public var renamingIdentifier: String?
  /// A text that changes the version hash.
  public var versionHashModifier: String?
  /// The expression that a derived attribute is computed from.
  public var derivationExpression: ValueExpression?
  /// The predicate that limits what a derived attribute is computed from.
  public var filteringPredicate: ValuePredicate?
  /// The name of a composite attribute's type.
  public var compositeName: String?
  /// The elements of a composite attribute, as declared; a table has their columns in this order.
  public var elements: [AttributeDescription] = []
  /// Predicates that a value must satisfy, such as `length >= 1`.
  public var validationPredicates: [ValuePredicate] = []
  /// The text entries of the user info.
  public var userInfo: [String: String] = [:]
  /// The attributes of a location in an R-tree; only transient attributes of undefined type have
  /// some.
  public var locationComponents: [String] = []

  /// An attribute with a name and a type.
  public init(_ name: String, _ attributeType: AttributeType) {
    self.name = name
    self.attributeType = attributeType
  }

  /// Whether the store computes its value.
  public var isDerived: Bool { derivationExpression != nil }

  /// Whether the store holds values that are given to it.
  package var isStored: Bool { !isTransient && !isDerived }

  /// Whether every object must be given a value.
  package var needsValue: Bool { isStored && !isOptional && defaultValue == nil }

  /// The renaming identifier, or the name if there is none.
  public var canonicalName: String { renamingIdentifier ?? name }

  /// The attributes whose values a store keeps: this one, or the elements of a composite one, as
  /// declared.
  ///
  /// An element is named by its key path, and may be nil if its composite may. Its renaming
  /// identifier is the path of renaming identifiers (formats/migration.md 7.4).
  public var leaves: [AttributeDescription] {
    guard attributeType == .composite else { return [self] }
    return elements.flatMap(\.leaves).map { element in
      var leaf = element
      leaf.name = "\(name).\(element.name)"
      let identifier = "\(canonicalName).\(element.canonicalName)"
      leaf.renamingIdentifier = identifier == leaf.name ? nil : identifier
      leaf.isOptional = isOptional || element.isOptional
      leaf.isTransient = isTransient || element.isTransient
      // A new object has no composite value, so none of its elements has one.
      leaf.defaultValue = nil
      return leaf
    }
  }
}

/// A relationship of an entity (`NSRelationshipDescription`).
public struct RelationshipDescription: PropertyDescription, Hashable, Sendable {
  /// What happens to the destination objects when the owner is deleted, with Core Data's numbers.
  public enum DeleteRule: Int64, Hashable, Sendable {
    case noAction = 0
    case nullify = 1
    case cascade = 2
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
  /// The maximum number of objects; 0 means unlimited.
  public var maxCount: Int64 = 1
  /// What happens to the destination objects when the owner is deleted.
  public var deleteRule = DeleteRule.nullify
  /// The renaming identifier, which matches it across model versions; its name if absent.
  public var renamingIdentifier: String?
  /// A text that changes the version hash.
  public var versionHashModifier: String?
  /// The text entries of the user info.
  public var userInfo: [String: String] = [:]

  /// A to-one relationship without an inverse.
  public init(_ name: String, to destinationEntityName: String) {
    self.name = name
    self.destinationEntityName = destinationEntityName
  }

  /// The renaming identifier, or the name if there is none.
  public var canonicalName: String { renamingIdentifier ?? name }

  /// Whether every object must lead to another; a to-many relationship needs objects only if it states a minimum
  /// count (formats/migration.md 2.16).
  package var isMandatory: Bool { !isTransient && !isOptional && (!isToMany || minCount > 0) }
}
