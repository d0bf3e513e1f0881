internal import BulkModel

/// A merge, a split or another name of an entity that two models suggest and that inference cannot see.
package struct MappingProposal: Hashable, Sendable, CustomStringConvertible {
  /// A change of entities that two models suggest.
  package enum Kind: String, Hashable, Sendable {
    /// An entity has another name, without a renaming identifier.
    case rename
    /// The objects of an entity join those of another one.
    case merge
    /// A part of an entity becomes an entity of its own.
    case split
  }

  /// The change that the models suggest.
  package let kind: Kind
  /// The source entity that is renamed, joined or split.
  package let source: String
  /// The destination entity that takes its values.
  package let destination: String
  /// The source attributes that the destination entity takes, by the names of its own.
  package let attributes: [String: String]
  /// The source attributes that suggest it, in code-unit order: of a split those that the source entity
  /// loses, else all that correspond.
  package let evidence: [String]

  /// Whether an entity mapping carries it out.
  func isCarriedOut(by mapping: EntityMapping) -> Bool {
    source == mapping.sourceEntityName && destination == mapping.destinationEntityName
  }

  /// The proposal in a sentence, with what suggests it.
  package var description: String {
    let list = evidence.joined(separator: ", ")
    return switch kind {
    case .rename: "\(source) may be called \(destination) now: both have \(list)"
    case .merge: "\(source) may be merged into \(destination): both have \(list)"
    case .split: "\(destination) may be split off \(source): it has \(list), which \(source) loses"
    }
  }
}

/// Finds proposals between two models.
///
/// Two attributes correspond if they have the same type and the same name, where case does not count and the
/// name of the entity may precede it, as `imageWidth` of a note and `width` of an image.
struct ProposalSearch {
  private let models: ModelPair
  private let matching: EntityMatching

  init(between models: ModelPair) {
    self.models = models
    matching = EntityMatching(between: models)
  }

  /// All proposals: for every new entity where it may come from, then for every entity that is gone where
  /// its objects may go.
  func proposals() -> [MappingProposal] {
    let gone = models.source.entities.filter {
      !$0.isAbstract && matching.destination(of: $0) == nil
    }
    let new = models.destination.entities.filter {
      !$0.isAbstract && matching.source(of: $0) == nil
    }
    var result: [MappingProposal] = []
    for entity in new {
      let renamed = best(gone.map { candidate(.rename, $0, entity) })
      let split = best(split(into: entity))
      if let renamed, renamed.score >= split?.score ?? 0 {
        result.append(renamed.proposal)
      } else if let split {
        result.append(split.proposal)
      }
    }
    let taken = Set(result.map(\.source))
    for entity in gone where !taken.contains(entity.name) {
      let others = models.destination.entities.filter { !$0.isAbstract }
      let merged = best(others.map { candidate(.merge, entity, $0) })
      if let merged { result.append(merged.proposal) }
    }
    return result
  }

  /// A proposal, and the share of attributes that speak for it, from 0 to 1.
  private typealias Candidate = (proposal: MappingProposal, score: Double)

  /// The best candidate, the first of several, if at least half of its attributes correspond.
  private func best(_ candidates: [Candidate]) -> Candidate? {
    candidates.filter { $0.score >= 0.5 }.max { $0.score < $1.score }
  }

  /// The entities that lose attributes which a new entity has.
  private func split(into entity: EntityDescription) -> [Candidate] {
    models.source.entities.compactMap { old in
      guard !old.isAbstract, let continued = matching.destination(of: old) else { return nil }
      let kept = models.destination.attributes(of: continued).compactMap {
        matching.attribute($0, in: old)?.name
      }
      return candidate(.split, old, entity, without: Set(kept))
    }
  }

  /// A proposal, however little speaks for it, and its score; attributes that the source entity keeps suggest
  /// nothing.
  private func candidate(
    _ kind: MappingProposal.Kind,
    _ old: EntityDescription,
    _ new: EntityDescription,
    without kept: Set<String> = []
  ) -> Candidate {
    let olds = models.source.attributes(of: old).filter(\.isStored)
    let news = models.destination.attributes(of: new).filter(\.isStored)
    var pairs: [String: String] = [:]
    for attribute in news {
      pairs[attribute.name] =
        olds.first { attribute.corresponds(to: $0, of: [old.name, new.name]) }?.name
    }
    let evidence = Set(pairs.values).subtracting(kept)
    let free = olds.count { !kept.contains($0.name) }
    // A merge gives all that an object has, a new name keeps all; a split gives what its entity loses.
    let wanted =
      switch kind {
      case .rename: max(free, news.count)
      case .merge: free
      case .split: min(free, news.count)
      }
    let score = wanted == 0 ? 0 : Double(evidence.count) / Double(wanted)
    let proposal = MappingProposal(
      kind: kind,
      source: old.name,
      destination: new.name,
      attributes: pairs,
      evidence: evidence.sortedByCodeUnit()
    )
    return (proposal, score)
  }
}

extension AttributeDescription {
  fileprivate func corresponds(to other: AttributeDescription, of entities: [String]) -> Bool {
    guard attributeType == other.attributeType else { return false }
    let names = [name, other.name].map { $0.lowercased() }
    return names[0] == names[1]
      || entities.contains { entity in
        let prefix = entity.lowercased()
        return names[0] == prefix + names[1] || prefix + names[0] == names[1]
      }
  }
}

/// Writes proposals as entity mappings.
struct ProposalWriter {
  let proposals: [MappingProposal]
  let models: ModelPair

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
    guard let proposal = proposals.first(where: { $0.isCarriedOut(by: mapping) }),
      let old = models.source.entity(named: proposal.source),
      let new = models.destination.entity(named: proposal.destination)
    else { return mapping }
    var result = mapping
    result.attributeMappings = models.destination.attributes(of: new)
      .filter(\.isStored)
      .map { PropertyMapping($0.name, proposal.attributes[$0.name].map(InferredValue.copy)) }
    let standard = StandardValues(from: models.source, mappings)
    result.relationshipMappings = models.destination.relationships(of: new).filter {
      !$0.isTransient
    }
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
    let moved = models.source.attributes(of: entity).filter { proposal.evidence.contains($0.name) }
    guard moved.allSatisfy(\.isOptional) else { return nil }
    let comparisons = moved.map { attribute in
      ValuePredicate.comparison(
        .init(.keyPath(attribute.name, of: .evaluatedObject), .notEqualTo, .constant(.null))
      )
    }
    return comparisons.count == 1 ? comparisons[0] : .or(comparisons)
  }
}
