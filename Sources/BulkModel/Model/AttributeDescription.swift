/// An attribute of an entity (`NSAttributeDescription`, with its derived and composite forms).
public struct AttributeDescription: Hashable, Sendable {
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
  /// The elements of a composite attribute, by name.
  public var elements: [AttributeDescription] = []
  /// Predicates that a value must satisfy, such as `length >= 1`.
  public var validationPredicates: [ValuePredicate] = []
  /// The user info.
  public var userInfo: [String: String] = [:]

  /// An attribute with a name and a type.
  public init(_ name: String, _ attributeType: AttributeType) {
    self.name = name
    self.attributeType = attributeType
  }

  /// Whether the store computes its value.
  public var isDerived: Bool { derivationExpression != nil }

  /// The renaming identifier, or the name if there is none.
  public var canonicalName: String { renamingIdentifier ?? name }
}
