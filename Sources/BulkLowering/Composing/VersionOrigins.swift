internal import BulkMapping
internal import BulkModel

/// Finds the properties from which those of a version are made in the version before.
struct VersionOrigins {
  /// The step that makes the version.
  let step: MigrationStep

  private var version: ManagedObjectModel { step.destination }
  private var before: ManagedObjectModel { step.source }

  /// The expression over an object of the version before that computes an attribute of the object that an
  /// entity mapping makes from it.
  ///
  /// - Throws: ``FusionBarrier`` if only the version itself has the value.
  func value(
    of attribute: AttributeDescription,
    under maker: EntityMapping
  ) throws(FusionBarrier) -> ValueExpression {
    let place = "\(maker.destinationEntityName ?? maker.name).\(attribute.name)"
    guard !attribute.isDerived, !attribute.isTransient else {
      throw FusionBarrier("\(place) has its values only in \(step.name)")
    }
    switch maker.attribute(attribute.name) {
    case .defaultValue: return .constant(attribute.defaultValue ?? .null)
    case .copy(let name):
      let source = before.entity(named: maker.sourceEntityName)
        .flatMap { before.leaf(named: name, of: $0)?.attribute }
      if let source { try refuseOtherStorage(source, attribute, at: place) }
      return InferredValue.copy(name)
    case .copyOrDefault(let name):
      let source = InferredValue.copy(name)
      return attribute.defaultValue.map { InferredValue.choice(source, or: .constant($0)) }
        ?? source
    case .constant(let value): return .constant(value)
    case .expression(let expression) where expression.isPlain: return expression
    case .expression(let expression):
      throw FusionBarrier("\(place) = \(expression) cannot be put into another expression")
    case .policy(let selector, let arguments):
      let target = ValueExpression.variable("entityPolicy")
      let call = ValueExpression.function(target: target, selector: selector, arguments: arguments)
      throw FusionBarrier("\(place) = \(call) cannot be put into another expression")
    }
  }

  /// The attribute decides which values are in external files.
  func refuseOtherStorage(
    _ source: AttributeDescription,
    _ attribute: AttributeDescription,
    at place: String
  ) throws(FusionBarrier) {
    guard source.allowsExternalBinaryDataStorage == attribute.allowsExternalBinaryDataStorage else {
      throw FusionBarrier("the values of \(place) are stored otherwise in \(step.name)")
    }
  }

  /// The attribute of the version before that an attribute of an entity's objects copies under every entity
  /// mapping.
  func copied(
    _ attribute: AttributeDescription,
    of entity: EntityDescription
  ) throws(FusionBarrier) -> String {
    let barrier = FusionBarrier("\(entity.name).\(attribute.name) is made in \(step.name)")
    var names: Set<String> = []
    for maker in step.makers(under: entity) {
      let value = try value(of: attribute, under: maker)
      guard case .keyPath(let name, of: .variable("source")) = value,
        let source = before.entity(named: maker.sourceEntityName),
        let found = before.leaf(named: name, of: source)?.attribute,
        found.attributeType == attribute.attributeType
      else { throw barrier }
      names.insert(name)
    }
    guard names.count == 1, let name = names.first else { throw barrier }
    return name
  }

  /// The origin of a relationship of an entity's objects under every entity mapping.
  func origin(
    of name: String,
    in entity: EntityDescription
  ) throws(FusionBarrier) -> RelationshipOrigin {
    var origins: Set<RelationshipOrigin> = []
    for maker in step.makers(under: entity) { origins.insert(try origin(of: name, under: maker)) }
    guard origins.count < 2 else {
      throw FusionBarrier("\(entity.name).\(name) has several origins in \(step.name)")
    }
    return origins.first ?? .nothing
  }

  /// The origin of a relationship of the objects that an entity mapping makes.
  func origin(
    of name: String,
    under maker: EntityMapping
  ) throws(FusionBarrier) -> RelationshipOrigin {
    guard let entity = version.entity(named: maker.destinationEntityName),
      let found = version.relationship(named: name, of: entity)
    else { return .nothing }
    let own = try stated(name, under: maker)
    let other = try reversed(found.relationship, from: maker)
    guard let own, let other else { return own ?? other ?? .nothing }
    guard own.path == other.path else {
      throw FusionBarrier("the two sides of \(entity.name).\(name) differ in \(step.name)")
    }
    return own
  }

  /// The assignment of an entity mapping to a relationship of its own objects; `nil` if there is
  /// none.
  private func stated(
    _ name: String,
    under maker: EntityMapping
  ) throws(FusionBarrier) -> RelationshipOrigin? {
    guard let meaning = maker.relationship(name),
      let entity = before.entity(named: maker.sourceEntityName),
      let made = version.entity(named: maker.destinationEntityName),
      let relationship = version.relationship(named: name, of: made)?.relationship
    else { return nil }
    switch meaning {
    case .nothing: return .nothing
    case .policy, .unsupported:
      throw FusionBarrier("\(made.name).\(name) is given by a policy in \(step.name)")
    case .instances(let path, let mappingName):
      let end = try self.end(of: path, from: entity, as: relationship)
      return .path(path, by: targets(named: mappingName, from: end, for: relationship))
    }
  }

  /// The entity at the end of a path that a relationship continues; both must have the same cardinality and
  /// order.
  private func end(
    of path: [String],
    from start: EntityDescription,
    as relationship: RelationshipDescription
  ) throws(FusionBarrier) -> EntityDescription {
    var (entity, shapes): (EntityDescription, [RelationshipShape]) = (start, [])
    for name in path {
      guard let found = before.relationship(named: name, of: entity),
        let next = before.entity(named: found.relationship.destinationEntityName)
      else { throw FusionBarrier("\(entity.name) has no relationship \(name)") }
      shapes.append(RelationshipShape(found.relationship, in: before))
      entity = next
    }
    let shape = RelationshipShape(relationship, in: version)
    let isAlike =
      switch shapes.count {
      case 0: !shape.isOrdered
      case 1: shapes[0] == shape
      default: shape.isToMany == shapes.contains(where: \.isToMany) && !shape.isOrdered
      }
    guard isAlike else {
      throw FusionBarrier("\(relationship.name) holds other objects in \(step.name)")
    }
    return entity
  }

  /// The entity mappings that make the objects of a relationship from those of an entity.
  private func targets(
    named name: String?,
    from end: EntityDescription,
    for relationship: RelationshipDescription
  ) -> [EntityMapping] {
    guard let target = version.entity(named: relationship.destinationEntityName) else { return [] }
    let ends = before.hierarchy(from: end)
    return step.makers(under: target).filter { maker in
      (name == nil || maker.name == name) && ends.contains { $0.name == maker.sourceEntityName }
    }
  }

  /// The origin of a relationship that follows from its inverse; `nil` where that assigns nothing either.
  private func reversed(
    _ relationship: RelationshipDescription,
    from maker: EntityMapping
  ) throws(FusionBarrier) -> RelationshipOrigin? {
    guard let inverse = version.inverse(of: relationship) else { return nil }
    var paths: Set<[String]> = []
    var owners: [EntityMapping] = []
    for other in step.makers(under: inverse.owner) {
      guard let stated = try stated(inverse.relationship.name, under: other) else { continue }
      guard case .path(let path, let targets) = stated, targets.contains(maker) else { continue }
      paths.insert(try reversed(path, of: other, relationship))
      owners.append(other)
    }
    guard paths.count < 2 else {
      throw FusionBarrier("\(relationship.name) has several origins in \(step.name)")
    }
    guard let path = paths.first, let entity = before.entity(named: maker.sourceEntityName)
    else { return nil }
    _ = try end(of: path, from: entity, as: relationship)
    return .path(path, by: owners)
  }

  private func reversed(
    _ path: [String],
    of maker: EntityMapping,
    _ relationship: RelationshipDescription
  ) throws(FusionBarrier) -> [String] {
    guard let name = path.first else { return [] }
    guard path.count == 1,
      let entity = before.entity(named: maker.sourceEntityName),
      let found = before.relationship(named: name, of: entity),
      let back = before.inverse(of: found.relationship)
    else {
      throw FusionBarrier("\(relationship.name) follows its inverse in \(step.name)")
    }
    return [back.relationship.name]
  }
}

extension RelationshipOrigin {
  /// The path; `nil` where there is none.
  fileprivate var path: [String]? {
    if case .path(let path, _) = self { path } else { nil }
  }
}

extension ValueExpression {
  /// Whether the expression depends on its object alone, and has the same value wherever it is used.
  fileprivate var isPlain: Bool {
    ownPath != nil || combinesParts && children.allSatisfy(\.isPlain)
  }

  /// The key path from its object that the expression is; `nil` for any other.
  var ownPath: String? {
    switch self {
    case .keyPath(let path, of: .variable("source")), .keyPath(let path, of: .evaluatedObject): path
    default: nil
    }
  }

  /// Whether the value follows from those of its parts, if it has any, wherever it is used.
  var combinesParts: Bool {
    switch self {
    case .evaluatedObject, .variable, .keyPath, .subquery, .fetch: false
    case .predefined(let selector, _):
      !["random", "random:", "uuid", "uuid:", "rowKey"].contains(selector)
    // A key in quotes would be one of the version.
    case .function(_, let selector, _): KeyedSelector(rawValue: selector) == nil
    case .constant, .classConstant, .symbol, .aggregate, .set, .ternary: true
    }
  }
}

/// The objects from which those of a relationship of a version are made.
enum RelationshipOrigin: Hashable {
  /// None, because the relationship is new.
  case nothing
  /// Those at the end of a path in the version before, by some of the entity mappings.
  case path([String], by: [EntityMapping])
}

/// The cardinality and order of both sides of a relationship.
struct RelationshipShape: Hashable {
  let isToMany: Bool
  let isOrdered: Bool
  /// Whether the inverse is to-many; `nil` without an inverse.
  let isInverseToMany: Bool?
  let isInverseOrdered: Bool?

  init(_ relationship: RelationshipDescription, in model: ManagedObjectModel) {
    let inverse = model.inverse(of: relationship)?.relationship
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    isInverseToMany = inverse?.isToMany
    isInverseOrdered = inverse?.isOrdered
  }
}
