/// An entity of a managed object model (`NSEntityDescription`).
///
/// It holds only the properties that it declares itself; `ManagedObjectModel` knows what it inherits.
public struct EntityDescription: Hashable, Sendable {
  /// The entity's name, unique in its model.
  public var name: String
  /// The class of its objects, where a model names one.
  public var managedObjectClassName: String?
  /// The name of its superentity, if it has one.
  public var superentityName: String?
  /// Whether it has no objects of its own.
  public var isAbstract = false
  /// Its own attributes.
  public var attributes: [AttributeDescription] = []
  /// Its own relationships.
  public var relationships: [RelationshipDescription] = []
  /// Its own fetched properties.
  public var fetchedProperties: [FetchedPropertyDescription] = []
  /// The identifier by which it is found in another model version; its name where absent.
  public var renamingIdentifier: String?
  /// A text that changes the version hash.
  public var versionHashModifier: String?
  /// Its fetch indexes.
  public var indexes: [FetchIndexDescription] = []
  /// Its old-style indexes over several properties, each a list of property names.
  public var compoundIndexes: [[String]] = []
  /// Its uniqueness constraints, each a list of attribute names.
  public var uniquenessConstraints: [[String]] = []
  /// The developer's own notes.
  public var userInfo: [String: String] = [:]

  /// An entity without properties.
  public init(_ name: String) { self.name = name }

  /// What other model versions know it by.
  public var canonicalName: String { renamingIdentifier ?? name }
}
