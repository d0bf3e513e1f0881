/// How the objects of one model become objects of another (`NSMappingModel`).
public struct MappingModel: Hashable, Sendable {
  /// The entity mappings in the order in which they are carried out.
  public var entityMappings: [EntityMapping]

  /// A mapping model of some entity mappings.
  public init(entityMappings: [EntityMapping] = []) { self.entityMappings = entityMappings }
}
