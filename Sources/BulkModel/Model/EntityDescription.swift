/// An entity of a managed object model (`NSEntityDescription`).
///
/// It holds only the properties that it declares; `ManagedObjectModel` resolves inherited ones.
public struct EntityDescription: Hashable, Sendable {
  /// The entity's name, unique in its model.
  public var name: String
  /// The class of its objects, if the model names one.
  public var managedObjectClassName: String?
  /// The name of its superentity, if it has one.
  public var superentityName: String?
  /// Whether it is abstract.
  public var isAbstract = false
  /// The attributes that it declares.
  public var attributes: [AttributeDescription] = []
  /// The relationships that it declares.
  public var relationships: [RelationshipDescription] = []
  /// The fetched properties that it declares.
  public var fetchedProperties: [FetchedPropertyDescription] = []
  /// The renaming identifier, which matches it across model versions; its name if absent.
  public var renamingIdentifier: String?
  /// A text that changes the version hash.
  public var versionHashModifier: String?
  /// The fetch indexes that it declares.
  public var indexes: [FetchIndexDescription] = []
  /// Its old-style indexes over several properties, each a list of property names.
  public var compoundIndexes: [[String]] = []
  /// Its uniqueness constraints, each a list of attribute names.
  public var uniquenessConstraints: [[String]] = []
  /// The text entries of the user info.
  public var userInfo: [String: String] = [:]

  /// An entity without properties.
  public init(_ name: String) { self.name = name }

  /// The renaming identifier, or the name if there is none.
  public var canonicalName: String { renamingIdentifier ?? name }
}

/// An index of an entity (`NSFetchIndexDescription`).
public struct FetchIndexDescription: Hashable, Sendable {
  /// How an element is indexed, with Core Data's numbers.
  public enum Kind: Int64, Hashable, Sendable {
    case binary = 0
    case rTree = 1
  }

  /// The subject of an index element.
  public enum Subject: Hashable, Sendable {
    case property(String)
    /// An expression: `self` or the key path `entity`.
    case expression(ValueExpression)
  }

  /// One element of an index (`NSFetchIndexElementDescription`).
  public struct Element: Hashable, Sendable {
    /// The property or expression that is indexed.
    public var subject: Subject
    /// The kind of index.
    public var kind: Kind
    /// Whether values are in ascending order.
    public var isAscending: Bool

    /// An element of an index.
    public init(_ subject: Subject, kind: Kind = .binary, isAscending: Bool = true) {
      self.subject = subject
      self.kind = kind
      self.isAscending = isAscending
    }
  }

  /// The index's name, unique in its entity.
  public var name: String
  /// The elements, most significant first.
  public var elements: [Element]
  /// The predicate of a partial index.
  public var partialIndexPredicate: ValuePredicate?

  /// An index over some elements.
  public init(_ name: String, elements: [Element], partialIndexPredicate: ValuePredicate? = nil) {
    self.name = name
    self.elements = elements
    self.partialIndexPredicate = partialIndexPredicate
  }
}

/// A fetch request that a model holds: a template, or the request of a fetched property.
public struct FetchRequestDescription: Hashable, Sendable {
  /// The name under which the model holds it.
  public var name: String
  /// The name of the fetched entity.
  public var entityName: String
  /// The predicate, which may hold `$variables`.
  public var predicate: ValuePredicate?
  /// The maximum number of objects; 0 means unlimited.
  public var fetchLimit: Int64 = 0

  /// A request for all objects of an entity.
  public init(_ name: String, entityName: String) {
    self.name = name
    self.entityName = entityName
  }
}

/// A fetched property of an entity (`NSFetchedPropertyDescription`); it is not stored.
public struct FetchedPropertyDescription: Hashable, Sendable {
  /// The property's name, unique among the properties of its entity.
  public var name: String
  /// Whether it is optional.
  public var isOptional = false
  /// The request that fetches its objects.
  public var fetchRequest: FetchRequestDescription
  /// The renaming identifier, which matches it across model versions; its name if absent.
  public var renamingIdentifier: String?
  /// A text that would change the version hash if fetched properties entered it.
  public var versionHashModifier: String?
  /// The text entries of the user info.
  public var userInfo: [String: String] = [:]

  /// A fetched property with its request.
  public init(_ name: String, fetching fetchRequest: FetchRequestDescription) {
    self.name = name
    self.fetchRequest = fetchRequest
  }
}

/// Keys of user info by which a model tells Core Data how to keep its objects.
package enum UserInfoKey {
  /// Of a root entity: `yes` or `1` leaves out the index over entity numbers (formats/store.md 7.3).
  package static let omitsEntityIndex = "_NSEntityOmitSubentityColumnIndex"
  /// Of an ordered relationship: its positions are indexed; any value of the key sets it
  /// (formats/store.md 7.2).
  package static let indexesPositions = "NSRelationshipDescriptionOrderKeyIndexOption"
  /// Of an attribute: it may take over values of another type, even from bytes; any value of the
  /// key sets it (formats/migration.md 2.8, 4.2).
  package static let allowsTypeTransformation = "NSMigrationAllowTypeTransformation"
  /// Of a transient attribute of undefined type: the attributes of a location, as an array; seen in
  /// a store of Photos.
  static let locationComponents = "_NSLocationAttributeDerivedComponents"
}
