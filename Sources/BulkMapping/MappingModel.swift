/// How the objects of one model are mapped to objects of another (`NSMappingModel`).
public struct MappingModel: Hashable, Sendable {
  /// The entity mappings in execution order.
  public var entityMappings: [EntityMapping]

  /// A mapping model with entity mappings.
  public init(entityMappings: [EntityMapping] = []) { self.entityMappings = entityMappings }
}
