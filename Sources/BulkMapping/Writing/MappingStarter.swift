internal import BulkModel

/// A starter for a mapping file: the values that can be inferred between two models, and a question mark
/// for each value that the developer must provide.
package struct MappingStarter: Sendable {
  /// The changes that cannot be inferred, by destination entity and property.
  package let refusals: [InferenceError.Refusal]
  /// The merges, splits and new names that the models suggest and that inference cannot see.
  package let proposals: [MappingProposal]
  let model: MappingModel
  /// The same with the proposals carried out.
  private let proposed: MappingModel
  private let destination: ManagedObjectModel

  /// A starter for the mapping between two models.
  package init(between models: ModelPair) {
    destination = models.destination
    let entities = destination.entities.filter { !$0.isAbstract }.map(\.name)
    let heads = InferredMappings.heads(between: models, entities: Set(entities), avoiding: [])
    refusals = heads.refusals
    model = Self.model(heads.mappings, between: models)
    proposals = MappingProposal.all(between: models)
    let others = proposals.reduce(heads.mappings) { $1.added(to: $0) }
    proposed = MappingModel(
      entityMappings: Self.model(others, between: models).entityMappings
        .map { [proposals] mapping in
          proposals.first { $0.isCarriedOut(by: mapping) }?
            .filled(mapping, among: others, between: models) ?? mapping
        }
    )
  }

  /// The entity mappings with their values, and those that remove what none of them reads.
  private static func model(_ heads: [EntityMapping], between models: ModelPair) -> MappingModel {
    let standard = StandardValues(from: models.source, heads)
    let values = InferredMappings(between: models, standard)
    let read = Set(heads.compactMap(\.sourceEntityName))
    let removed = models.source.entities.filter { !$0.isAbstract && !read.contains($0.name) }
      .map { EntityMapping("Remove\($0.name)", .remove, from: $0.name, to: nil) }
    return MappingModel(entityMappings: heads.map(values.filled) + removed)
  }

  /// The file as text, with the paths of the models relative to the file.
  ///
  /// A property with the value `"?"` must be filled in before the file can be used; one with the value
  /// `null` keeps the model's default value.
  package func json(sourceModel: String?, destinationModel: String?) -> String {
    text(of: model, sourceModel, destinationModel) { mapping, property in
      isRefused(mapping, property)
    }
  }

  /// The same file with all proposals carried out.
  ///
  /// A required attribute for which a proposal has no value has `"?"` too.
  package func proposedJSON(sourceModel: String?, destinationModel: String?) -> String {
    text(of: proposed, sourceModel, destinationModel) { mapping, property in
      let own = proposals.filter { $0.isCarriedOut(by: mapping) }
      if own.contains(where: { $0.attributes[property.name] != nil }) { return false }
      return isRefused(mapping, property)
        || !own.isEmpty && property.valueExpression == nil && needsValue(mapping, property)
    }
  }

  private func text(
    of model: MappingModel,
    _ sourceModel: String?,
    _ destinationModel: String?,
    isQuestion: @escaping (EntityMapping, PropertyMapping) -> Bool
  ) -> String {
    MappingText(
      model: model,
      sourceModel: sourceModel,
      destinationModel: destinationModel,
      infer: .unmentioned,
      isQuestion: isQuestion
    ).text
  }

  /// Whether inference refuses a property, own or inherited.
  private func isRefused(_ mapping: EntityMapping, _ property: PropertyMapping) -> Bool {
    guard let entity = destination.entity(named: mapping.destinationEntityName)
    else { return false }
    let lineage = Set(destination.lineage(of: entity).map(\.name))
    return refusals.contains { $0.property == property.name && lineage.contains($0.entity) }
  }

  /// Whether a property is an attribute that is required and has no default value.
  private func needsValue(_ mapping: EntityMapping, _ property: PropertyMapping) -> Bool {
    destination.entity(named: mapping.destinationEntityName)
      .flatMap { destination.leaf(named: property.name, of: $0)?.attribute.needsValue } ?? false
  }
}
