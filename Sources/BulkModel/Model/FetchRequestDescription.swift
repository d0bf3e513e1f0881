/// A fetch request that a model holds: a template, or the request of a fetched property.
public struct FetchRequestDescription: Hashable, Sendable {
  /// The template's name.
  public var name: String
  /// The name of the entity that is fetched.
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
