public import BulkModel

/// A starter for a mapping file: the values that can be inferred between two models, and a question mark
/// for each value that the developer must provide.
public struct MappingStarter: Sendable {
  /// The changes that cannot be inferred, by destination entity and property.
  public let refusals: [InferenceError.Refusal]
  /// The entity mappings with the inferred values.
  let model: MappingModel
  private let destination: ManagedObjectModel

  /// A starter for the mapping between two models.
  public init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.destination = destination
    let entities = destination.entities.filter { !$0.isAbstract }.map(\.name)
    let heads = InferredMappings.heads(
      from: source,
      to: destination,
      entities: Set(entities),
      avoiding: []
    )
    refusals = heads.refusals
    let standard = StandardValues(from: source, heads.mappings)
    let values = InferredMappings(from: source, to: destination, standard)
    var mappings = heads.mappings.map(values.filled)
    let read = Set(mappings.compactMap(\.sourceEntityName))
    mappings += source.entities.filter { !$0.isAbstract && !read.contains($0.name) }
      .map { EntityMapping("Remove\($0.name)", .remove, from: $0.name, to: nil) }
    model = MappingModel(entityMappings: mappings)
  }

  /// The file as text, with the paths of the models relative to the file.
  ///
  /// A property with the value `"?"` must be filled in before the file can be used; one with the value
  /// `null` keeps the model's default value.
  public func json(sourceModel: String?, destinationModel: String?) -> String {
    MappingText(
      model,
      sourceModel: sourceModel,
      destinationModel: destinationModel,
      infer: .unmentioned,
      isQuestion: isQuestion
    ).text
  }

  /// Whether inference refuses a property, own or inherited.
  private func isQuestion(_ mapping: EntityMapping, _ property: PropertyMapping) -> Bool {
    guard let entity = mapping.destinationEntityName.flatMap({ destination.entity(named: $0) })
    else { return false }
    let lineage = Set(destination.lineage(of: entity).map(\.name))
    return refusals.contains { $0.property == property.name && lineage.contains($0.entity) }
  }
}
