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
  /// Its fetch indexes.
  public var indexes: [FetchIndexDescription] = []
  /// Its old-style indexes over several properties, each a list of property names.
  public var compoundIndexes: [[String]] = []
  /// Its uniqueness constraints, each a list of attribute names.
  public var uniquenessConstraints: [[String]] = []
  /// The user info.
  public var userInfo: [String: String] = [:]

  /// An entity without properties.
  public init(_ name: String) { self.name = name }

  /// The renaming identifier, or the name if there is none.
  public var canonicalName: String { renamingIdentifier ?? name }
}
