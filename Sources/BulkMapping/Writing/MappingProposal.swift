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
    /// Attributes of a continued entity have other names, or were those of the object at the end of a to-one
    /// relationship.
    case move
  }

  package let kind: Kind
  package let source: String
  package let destination: String
  /// The paths of the source attributes that the destination entity takes, by the names of its own.
  package let attributes: [String: String]
  /// The source attributes that suggest it, in code-unit order: of a split those that the source entity
  /// loses, else all that correspond.
  ///
  /// Of a move it is each attribute with its path.
  package let evidence: [String]

  /// Whether an entity mapping carries it out.
  func isCarriedOut(by mapping: EntityMapping) -> Bool {
    source == mapping.sourceEntityName && destination == mapping.destinationEntityName
  }

  package var description: String {
    let list = evidence.joined(separator: ", ")
    return switch kind {
    case .rename: "\(source) may be called \(destination) now: both have \(list)"
    case .merge: "\(source) may be merged into \(destination): both have \(list)"
    case .split: "\(destination) may be split off \(source): it has \(list), which \(source) loses"
    case .move: "\(destination) may take \(list)"
    }
  }
}

extension MappingProposal {
  /// All proposals, the first in the order of the model for each entity.
  ///
  /// For every new entity it is where the entity may come from, then for every entity that is gone where its objects may
  /// go.
  static func all(between models: ModelPair) -> [MappingProposal] {
    let matching = EntityMatching(between: models)
    let olds = models.source.entities.filter { !$0.isAbstract }
    let gone = olds.filter { matching.destination(of: $0) == nil }
    let news = models.destination.entities.filter { !$0.isAbstract }
    func first(_ kind: Kind, _ pairs: [(EntityDescription, EntityDescription)]) -> MappingProposal?
    {
      pairs.lazy.compactMap { MappingProposal(kind, from: $0, to: $1, matching) }.first
    }
    var result = news.filter { matching.source(of: $0) == nil }.compactMap { entity in
      first(.rename, gone.map { ($0, entity) })
        ?? first(.split, olds.filter { matching.destination(of: $0) != nil }.map { ($0, entity) })
    }
    let taken = Set(result.map(\.source))
    result += gone.filter { !taken.contains($0.name) }.compactMap { entity in
      first(.merge, news.map { (entity, $0) })
    }
    return result + news.compactMap { move(to: $0, matching) }
  }

  /// The values of new attributes that are lost otherwise, with the same names as in the initializer.
  private static func move(to new: EntityDescription, _ matching: EntityMatching) -> Self? {
    guard let old = matching.source(of: new) else { return nil }
    let source = matching.source
    let links = source.relationships(of: old).filter { !$0.isToMany && !$0.isTransient }
    let ends = links.compactMap { link in
      source.entity(named: link.destinationEntityName).map { ("\(link.name).", $0) }
    }
    let lost = ([("", old)] + ends).flatMap { path, entity in
      matching.lostAttributes(of: entity).map { (path: path + $0.name, attribute: $0, entity) }
    }
    let paths = matching.destination.attributes(of: new)
      .filter { $0.isStored && matching.attribute($0, in: old) == nil }
      .compactMap { attribute in
        lost.first { attribute.corresponds(to: $0.attribute, of: [$0.2.name]) }
          .map { (attribute.name, $0.path) }
      }
    guard !paths.isEmpty else { return nil }
    return MappingProposal(
      kind: .move,
      source: old.name,
      destination: new.name,
      attributes: Dictionary(firstOf: paths),
      evidence: paths.map { "\($0) from \($1)" }.sortedByCodeUnit()
    )
  }

  /// The proposal that one entity becomes another; `nil` if fewer than half of the attributes correspond: of those
  /// of an entity that is gone, or of those that an entity loses.
  ///
  /// Two attributes correspond if they have the same type and the same name, where case does not count and the
  /// name of the entity may precede it, as `imageWidth` of a note and `width` of an image. An entity that others are
  /// merged into has had the attribute before.
  private init?(
    _ kind: Kind,
    from old: EntityDescription,
    to new: EntityDescription,
    _ matching: EntityMatching
  ) {
    let all = matching.destination.attributes(of: new).filter(\.isStored)
    let former = kind == .merge ? matching.source(of: new) : nil
    let news = all.filter { attribute in
      former.map { matching.attribute(attribute, in: $0) != nil } ?? true
    }
    let added = Set(all.map(\.name)).subtracting(news.map(\.name))
    let olds = matching.source.attributes(of: old).filter(\.isStored)
    let pairs = all.compactMap { attribute in
      olds.first { attribute.corresponds(to: $0, of: [old.name, new.name]) }
        .map { (attribute.name, $0.name) }
    }
    let lost = Set(matching.lostAttributes(of: old).map(\.name))
    let formerPairs = pairs.filter { !added.contains($0.0) && !added.contains($0.1) }
    let found = Set(formerPairs.map(\.1)).intersection(lost)
    // A merge gives all that an object has, a new name keeps all; a split gives what its entity loses.
    let wanted =
      kind == .rename
      ? max(lost.count, news.count) : min(lost.count, kind == .split ? news.count : lost.count)
    guard !found.isEmpty, 2 * found.count >= wanted else { return nil }
    self.kind = kind
    source = old.name
    destination = new.name
    attributes = Dictionary(firstOf: pairs)
    evidence = found.sortedByCodeUnit()
  }

  /// The entity mappings with that of the proposal: in place of one that adds the entity, or after the others that
  /// make it.
  func added(to heads: [EntityMapping]) -> [EntityMapping] {
    // The entity continues, so its mapping is there.
    guard kind != .move else { return heads }
    var result = heads
    let mapping = EntityMapping(
      "\(source)To\(destination)",
      .transform,
      from: source,
      to: destination
    )
    let index = result.lastIndex { $0.destinationEntityName == destination }
    if let index, result[index].kind == .add {
      result[index] = mapping
    } else {
      result.insert(mapping, at: index.map { $0 + 1 } ?? result.endIndex)
    }
    return result
  }

  /// The entity mapping that carries it out, with its values.
  func filled(
    _ mapping: EntityMapping,
    among mappings: [EntityMapping],
    between models: ModelPair
  ) -> EntityMapping {
    guard let old = models.source.entity(named: source),
      let new = models.destination.entity(named: destination)
    else { return mapping }
    var result = mapping
    if kind == .move {
      for (index, property) in result.attributeMappings.enumerated() {
        guard let path = attributes[property.name] else { continue }
        result.attributeMappings[index].valueExpression = InferredValue.copy(path)
      }
      return result
    }
    result.attributeMappings = models.destination.attributes(of: new)
      .filter(\.isStored)
      .map { PropertyMapping($0.name, attributes[$0.name].map(InferredValue.copy)) }
    let standard = StandardValues(from: models.source, mappings)
    result.relationshipMappings = models.destination.relationships(of: new)
      .filter { !$0.isTransient }
      .map { relationship in
        let value =
          standard.relationship(relationship.name, of: old, for: relationship)
          ?? remainder(at: relationship, mappings)
        return PropertyMapping(relationship.name, value)
      }
    if kind == .split { result.filter = filter(models.source.attributes(of: old)) }
    return result
  }

  /// The object that the same source object still becomes, where a relationship leads to its entity.
  private func remainder(
    at relationship: RelationshipDescription,
    _ mappings: [EntityMapping]
  ) -> ValueExpression? {
    let rest = mappings.filter {
      $0.sourceEntityName == source
        && $0.destinationEntityName == relationship.destinationEntityName
    }
    guard kind == .split, rest.count == 1 else { return nil }
    return InferredValue.objects(along: [], madeBy: rest[0].name)
  }

  /// Only objects have a part of their own, if any of it exists.
  private func filter(_ attributes: [AttributeDescription]) -> ValuePredicate? {
    let moved = attributes.filter { evidence.contains($0.name) }
    guard moved.allSatisfy(\.isOptional) else { return nil }
    let comparisons = moved.map { attribute in
      ValuePredicate.comparison(
        .init(.keyPath(attribute.name, of: .evaluatedObject), .notEqualTo, .constant(.null))
      )
    }
    return comparisons.count == 1 ? comparisons[0] : .or(comparisons)
  }
}

extension EntityMatching {
  /// The stored attributes of a source entity that the entity which continues it does not have.
  fileprivate func lostAttributes(of entity: EntityDescription) -> [AttributeDescription] {
    let kept = destination(of: entity).map { new in
      destination.attributes(of: new).compactMap { attribute($0, in: entity)?.name }
    }
    return source.attributes(of: entity).filter {
      $0.isStored && kept?.contains($0.name) != true
    }
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
