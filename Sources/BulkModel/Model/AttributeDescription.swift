/// An attribute of an entity (`NSAttributeDescription`, with its derived and composite forms).
public struct AttributeDescription: Hashable, Sendable {
  /// The attribute's name, unique among the properties of its entity.
  public var name: String
  /// The type of its values.
  public var attributeType: AttributeType
  /// Whether it may be nil.
  public var isOptional = false
  /// Whether it is kept out of the store.
  public var isTransient = false
  /// Whether it may not be set.
  public var isReadOnly = false
  /// Whether it has an old-style index of its own.
  public var isIndexed = false
  /// Whether Spotlight indexes it.
  public var isIndexedBySpotlight = false
  /// The value that a new object gets; `null` and `nil` are the same here, so only `nil` is used.
  public var defaultValue: AttributeValue?
  /// Whether a large value may lie in a file beside the store.
  public var allowsExternalBinaryDataStorage = false
  /// Whether the persistent history keeps its value when the object is deleted.
  public var preservesValueInHistoryOnDeletion = false
  /// The name of the transformer of a transformable attribute.
  public var valueTransformerName: String?
  /// The class of its values, where a model names one.
  public var attributeValueClassName: String?
  /// The identifier by which it is found in another model version; its name where absent.
  public var renamingIdentifier: String?
  /// A text that changes the version hash.
  public var versionHashModifier: String?
  /// The expression that a derived attribute is computed from.
  public var derivationExpression: ValueExpression?
  /// The predicate that limits what a derived attribute is computed from.
  public var filteringPredicate: ValuePredicate?
  /// The name of the composite type of a composite attribute.
  public var compositeName: String?
  /// The elements of a composite attribute, by name.
  public var elements: [AttributeDescription] = []
  /// Predicates that a value must satisfy, for example `length >= 1`.
  public var validationPredicates: [ValuePredicate] = []
  /// The developer's own notes.
  public var userInfo: [String: String] = [:]

  /// An attribute with nothing but a name and a type.
  public init(_ name: String, _ attributeType: AttributeType) {
    self.name = name
    self.attributeType = attributeType
  }

  /// Whether its value is computed by the store.
  public var isDerived: Bool { derivationExpression != nil }

  /// What other model versions know it by.
  public var canonicalName: String { renamingIdentifier ?? name }
}
