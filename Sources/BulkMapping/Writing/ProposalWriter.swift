internal import BulkModel

/// Writes proposals as entity mappings.
struct ProposalWriter {
  private let proposals: [MappingProposal]
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel

  init(
    _ proposals: [MappingProposal],
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    self.proposals = proposals
    self.source = source
    self.destination = destination
  }

  /// The entity mappings with those of the proposals: in place of one that adds the entity, or after the
  /// others that make it.
  func heads(among heads: [EntityMapping]) -> [EntityMapping] {
    var result = heads
    for proposal in proposals {
      let mapping = EntityMapping(
        "\(proposal.source)To\(proposal.destination)",
        .transform,
        from: proposal.source,
        to: proposal.destination
      )
      let place = result.lastIndex { $0.destinationEntityName == proposal.destination }
      if let place, result[place].kind == .add {
        result[place] = mapping
      } else {
        result.insert(mapping, at: place.map { $0 + 1 } ?? result.endIndex)
      }
    }
    return result
  }

  /// An entity mapping with the values of its proposal; unchanged if it is none of one.
  func filled(_ mapping: EntityMapping, among mappings: [EntityMapping]) -> EntityMapping {
    let proposal = proposals.first {
      $0.source == mapping.sourceEntityName && $0.destination == mapping.destinationEntityName
    }
    guard let proposal, let old = source.entity(named: proposal.source),
      let new = destination.entity(named: proposal.destination)
    else { return mapping }
    var result = mapping
    result.attributeMappings = destination.attributes(of: new)
      .filter { !$0.isTransient && !$0.isDerived }
      .map { PropertyMapping($0.name, proposal.attributes[$0.name].map(InferredValue.copy)) }
    let standard = StandardValues(from: source, mappings)
    result.relationshipMappings = destination.relationships(of: new).filter { !$0.isTransient }
      .map { relationship in
        let value =
          standard.relationship(relationship.name, of: old, for: relationship)
          ?? split(relationship, proposal, mappings)
        return PropertyMapping(relationship.name, value)
      }
    if proposal.kind == .split { result.filter = filter(proposal, old) }
    return result
  }

  /// The object that the same source object still becomes, where a relationship leads to its entity.
  private func split(
    _ relationship: RelationshipDescription,
    _ proposal: MappingProposal,
    _ mappings: [EntityMapping]
  ) -> ValueExpression? {
    let rest = mappings.filter {
      $0.sourceEntityName == proposal.source
        && $0.destinationEntityName == relationship.destinationEntityName
    }
    guard proposal.kind == .split, rest.count == 1 else { return nil }
    return StandardValues.destinationInstances(of: rest[0].name, from: .variable("source"))
  }

  /// Only objects have a part of their own, if any of it exists.
  private func filter(_ proposal: MappingProposal, _ entity: EntityDescription) -> ValuePredicate? {
    let moved = source.attributes(of: entity).filter { proposal.evidence.contains($0.name) }
    guard moved.allSatisfy(\.isOptional) else { return nil }
    let comparisons = moved.map { attribute in
      ValuePredicate.comparison(
        .init(.keyPath(attribute.name, of: .evaluatedObject), .notEqualTo, .constant(.null))
      )
    }
    return comparisons.count == 1 ? comparisons[0] : .or(comparisons)
  }
}
