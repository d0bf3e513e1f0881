internal import BulkMapping
internal import BulkModel

/// Puts an inferred step in front of a custom mapping model: from the version before the first directly to the version
/// after the second.
///
/// The version between is not made. In expressions of the second step, those of the first replace attributes, and
/// paths follow the relationships of the first version.
struct MappingComposition {
  private let first: MigrationStep
  private let second: MigrationStep
  private let origins: VersionOrigins

  init(_ first: MigrationStep, _ second: MigrationStep) {
    self.first = first
    self.second = second
    origins = VersionOrigins(step: first)
  }

  /// Throws ``FusionBarrier`` if objects of the version between must be made first.
  func composed() throws(FusionBarrier) -> MigrationStep {
    try refuseSpecialObjects()
    try refuseAbstractEntities()
    let pairs = pairs
    var mappings: [EntityMapping] = []
    for mapping in second.mapping.entityMappings where mapping.destinationEntityName != nil {
      if let pair = pairs.first(where: { $0.mapping == mapping }) {
        mappings.append(try composed(pair, pairs))
      } else {
        let added = EntityMapping(mapping.name, .add, from: nil, to: mapping.destinationEntityName)
        mappings.append(added)
      }
    }
    return MigrationStep(
      to: second.name,
      from: first.source,
      second.destination,
      by: MappingModel(entityMappings: mappings + removed(beside: mappings)),
      isInferred: false
    )
  }

  /// An entity mapping of the second step, with the one of the first that makes the objects it reads.
  private struct Pair: Hashable {
    let maker: EntityMapping
    let mapping: EntityMapping
  }

  private func refuseSpecialObjects() throws(FusionBarrier) {
    for mapping in second.mapping.entityMappings {
      if let policy = mapping.entityMigrationPolicyClassName {
        throw FusionBarrier("policy \(policy) makes objects of \(second.name) one by one")
      }
      guard mapping.elements == nil else {
        throw FusionBarrier("\(mapping.name) divides objects of \(second.name)")
      }
      guard mapping.uniqueness == nil else {
        throw FusionBarrier("\(mapping.name) finds which objects of \(second.name) are one")
      }
    }
  }

  private var pairs: [Pair] {
    second.mapping.entityMappings.compactMap { mapping in
      maker(of: mapping).map { Pair(maker: $0, mapping: mapping) }
    }
  }

  /// `nil` where no objects are made.
  private func maker(of mapping: EntityMapping) -> EntityMapping? {
    first.destination.entity(named: mapping.sourceEntityName).flatMap { entity in
      first.mapping.entityMappings.first {
        $0.destinationEntityName == entity.name && $0.sourceEntityName != nil
          && (first.makesObjects($0) || entity.isAbstract)
      }
    }
  }

  /// Objects of an entity that is abstract in the version between are refused there.
  private func refuseAbstractEntities() throws(FusionBarrier) {
    for mapping in first.mapping.entityMappings where first.makesObjects(mapping) {
      let entity = first.destination.entity(named: mapping.destinationEntityName)
      guard let entity, entity.isAbstract else { continue }
      throw FusionBarrier("entity \(entity.name) is abstract in \(first.name)")
    }
  }

  private func removed(beside mappings: [EntityMapping]) -> [EntityMapping] {
    let read = Set(mappings.compactMap(\.sourceEntityName))
    return first.source.entities.filter { !read.contains($0.name) }.map { entity in
      EntityMapping("IEM_Remove_\(entity.name)", .remove, from: entity.name, to: nil)
    }
  }

  private func composed(_ pair: Pair, _ pairs: [Pair]) throws(FusionBarrier) -> EntityMapping {
    let (maker, mapping) = (pair.maker, pair.mapping)
    var result = EntityMapping(
      mapping.name,
      .transform,
      from: maker.sourceEntityName,
      to: mapping.destinationEntityName
    )
    guard let entity = first.destination.entity(named: mapping.sourceEntityName),
      let made = second.destination.entity(named: mapping.destinationEntityName)
    else { return result }
    let values = ValueSubstitution(origins, under: maker, entity)
    result.filter = try mapping.filter.map(values.predicate)?.folded
    for attribute in second.destination.attributes(of: made) {
      let property = mapping.attributeMappings.first { $0.name == attribute.name }
      guard let expression = property?.valueExpression else { continue }
      let value = try values.assigned(expression, to: attribute)
      result.attributeMappings.append(PropertyMapping(attribute.name, value))
    }
    for property in mapping.relationshipMappings {
      guard let expression = property.valueExpression,
        let relationship = second.destination.relationship(named: property.name, of: made)?
          .relationship
      else { continue }
      let value = try value(of: relationship, expression, pair, among: pairs)
      result.relationshipMappings.append(PropertyMapping(property.name, value))
    }
    return result
  }

  private func value(
    of relationship: RelationshipDescription,
    _ expression: ValueExpression,
    _ pair: Pair,
    among pairs: [Pair]
  ) throws(FusionBarrier) -> ValueExpression {
    let subject = "\(pair.mapping.name), relationship \(relationship.name)"
    switch RelationshipMeaning(expression) {
    case .nothing: return expression
    case .policy, .unsupported: throw FusionBarrier("\(subject) is given by a policy")
    case .instances(let path, let name):
      guard let composed = try composedPath(path, pair.maker, subject) else {
        return .constant(.null)
      }
      let making = pairs.filter { first.makesObjects($0.maker) }
      let meant = making.filter { other in
        composed.makers.contains(other.maker)
          && fits(other.mapping, named: name, at: composed.end, relationship)
      }
      let found = making.filter { other in
        isReached(other.maker, by: composed) && (name == nil || other.mapping.name == name)
          && isKind(other.mapping, relationship)
      }
      guard meant == found else {
        throw FusionBarrier("\(subject) leads to objects that several mappings make")
      }
      let objects = InferredValue.objects(along: composed.path, madeBy: name)
      return expression.takesFirst ? objects.first : objects
    }
  }

  /// A path in the version before the first step.
  private struct ComposedPath {
    var path: [String]
    /// Where it ends in the version before.
    var before: EntityDescription
    /// Where it ends in the version between.
    var end: EntityDescription
    var makers: [EntityMapping]
  }

  /// `nil` where a relationship is new, so it has no objects.
  private func composedPath(
    _ names: [String],
    _ maker: EntityMapping,
    _ subject: String
  ) throws(FusionBarrier) -> ComposedPath? {
    guard let start = first.source.entity(named: maker.sourceEntityName),
      let entity = first.destination.entity(named: maker.destinationEntityName)
    else { return nil }
    var composed = ComposedPath(path: [], before: start, end: entity, makers: [maker])
    for (index, name) in names.enumerated() {
      guard index == 0 || first.isWhole(composed.makers, from: composed.before) else {
        throw FusionBarrier("\(subject) leads past objects that are not made in \(first.name)")
      }
      let origin =
        index == 0
        ? try origins.origin(of: name, under: maker)
        : try origins.origin(of: name, in: composed.end)
      guard case .path(let oldName, let makers) = origin else { return nil }
      guard
        let next = first.destination.relationship(named: name, of: composed.end)?.relationship,
        let end = first.destination.entity(named: next.destinationEntityName)
      else { return nil }
      guard
        let found = first.source.relationship(named: oldName, of: composed.before)?.relationship,
        let before = first.source.entity(named: found.destinationEntityName)
      else {
        throw FusionBarrier("\(subject) leads on from subentities alone before \(first.name)")
      }
      composed = ComposedPath(
        path: composed.path + [oldName],
        before: before,
        end: end,
        makers: makers
      )
    }
    return composed
  }

  private func fits(
    _ mapping: EntityMapping,
    named name: String?,
    at end: EntityDescription,
    _ relationship: RelationshipDescription
  ) -> Bool {
    (name == nil || mapping.name == name) && isKind(mapping, relationship)
      && first.destination.hierarchy(from: end).contains { $0.name == mapping.sourceEntityName }
  }

  private func isKind(_ mapping: EntityMapping, _ relationship: RelationshipDescription) -> Bool {
    let kind = second.destination.entity(named: relationship.destinationEntityName)
    let kinds = kind.map(second.destination.hierarchy) ?? []
    return kinds.contains { $0.name == mapping.destinationEntityName }
  }

  private func isReached(_ maker: EntityMapping, by composed: ComposedPath) -> Bool {
    guard !composed.path.isEmpty else { return maker.sourceEntityName == composed.before.name }
    return first.source.hierarchy(from: composed.before)
      .contains { $0.name == maker.sourceEntityName }
  }
}

extension ValuePredicate {
  /// The predicate without parts that are true or false for every object.
  ///
  /// A property that a step adds is a constant, so nothing may remain to test.
  var folded: ValuePredicate {
    switch self {
    case .constant: return self
    case .comparison(let comparison):
      return comparison.truth.map { .constant($0) } ?? self
    case .not(let part):
      if case .constant(let truth) = part.folded { return .constant(!truth) }
      return .not(part.folded)
    case .and(let parts): return Self.folded(parts, decidedBy: false) { .and($0) }
    case .or(let parts): return Self.folded(parts, decidedBy: true) { .or($0) }
    }
  }

  private static func folded(
    _ parts: [ValuePredicate],
    decidedBy truth: Bool,
    _ joined: ([ValuePredicate]) -> ValuePredicate
  ) -> ValuePredicate {
    let parts = parts.map(\.folded)
    if parts.contains(.constant(truth)) { return .constant(truth) }
    let open = parts.filter { $0 != .constant(!truth) }
    switch open.count {
    case 0: return .constant(!truth)
    case 1: return open[0]
    default: return joined(open)
    }
  }
}

extension ValuePredicate.Comparison {
  /// `nil` for any comparison but that of constants with nil.
  fileprivate var truth: Bool? {
    guard modifier == .direct, case .constant(let first) = left, case .constant(let second) = right,
      first == .null || second == .null
    else { return nil }
    switch `operator` {
    case .equalTo: return first == second
    case .notEqualTo: return first != second
    default: return nil
    }
  }
}
