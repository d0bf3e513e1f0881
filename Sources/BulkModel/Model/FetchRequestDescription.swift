/// A fetch request that a model holds: a template, or the request of a fetched property.
public struct FetchRequestDescription: Hashable, Sendable {
  /// The template's name.
  public var name: String
  /// The name of the fetched entity.
  public var entityName: String
  /// The predicate, which may hold `$variables`.
  public var predicate: ValuePredicate?
  /// The greatest number of objects; 0 is no limit.
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
  /// Its fetch request.
  public var fetchRequest: FetchRequestDescription
  /// The renaming identifier, which matches it across model versions; its name if absent.
  public var renamingIdentifier: String?
  /// A text that would change the version hash if fetched properties entered it.
  public var versionHashModifier: String?
  /// The user info.
  public var userInfo: [String: String] = [:]

  /// A fetched property with its request.
  public init(_ name: String, fetching fetchRequest: FetchRequestDescription) {
    self.name = name
    self.fetchRequest = fetchRequest
  }
}
