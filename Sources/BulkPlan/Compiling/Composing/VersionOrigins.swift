internal import BulkMapping
internal import BulkModel

/// Finds the properties from which those of a version are made in the version before.
struct VersionOrigins {
  let step: MigrationStep

  private var version: ManagedObjectModel { step.destination }
  private var before: ManagedObjectModel { step.source }

  /// The expression over an object of the version before that computes an attribute.
  ///
  /// Throws ``FusionBarrier`` if only the version itself has the value.
  func value(
    of attribute: AttributeDescription,
    under maker: EntityMapping
  ) throws(FusionBarrier) -> ValueExpression {
    let subject = "\(maker.destinationEntityName ?? maker.name).\(attribute.name)"
    guard !attribute.isDerived, !attribute.isTransient else {
      throw FusionBarrier("\(subject) has its values only in \(step.name)")
    }
    switch maker.attribute(attribute.name) {
    case .defaultValue: return .constant(attribute.defaultValue ?? .null)
    case .copy(let name):
      let source = before.entity(named: maker.sourceEntityName)
        .flatMap { before.leaf(named: name, of: $0)?.attribute }
      if let source { try refuseOtherStorage(source, attribute, at: subject) }
      return InferredValue.copy(name)
    case .copyOrDefault(let name):
      let source = InferredValue.copy(name)
      return attribute.defaultValue.map { InferredValue.choice(source, or: .constant($0)) }
        ?? source
    case .constant(let value): return .constant(value)
    case .expression, .policy: throw FusionBarrier("\(subject) is made in \(step.name)")
    }
  }

  /// The attribute decides which values are in external files.
  func refuseOtherStorage(
    _ source: AttributeDescription,
    _ attribute: AttributeDescription,
    at subject: String
  ) throws(FusionBarrier) {
    guard source.allowsExternalBinaryDataStorage == attribute.allowsExternalBinaryDataStorage else {
      throw FusionBarrier("the values of \(subject) are stored otherwise in \(step.name)")
    }
  }

  /// Every entity mapping must copy the same one.
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
        before.leaf(named: name, of: source) != nil
      else { throw barrier }
      names.insert(name)
    }
    guard names.count == 1, let name = names.first else { throw barrier }
    return name
  }

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

  /// The inverse has the inverse of the origin, or the version must be made.
  func origin(
    of name: String,
    under maker: EntityMapping
  ) throws(FusionBarrier) -> RelationshipOrigin {
    guard let entity = version.entity(named: maker.destinationEntityName),
      let found = version.relationship(named: name, of: entity)
    else { return .nothing }
    let own = try stated(name, under: maker)
    guard let inverse = version.inverse(of: found.relationship) else { return own }
    // The other side, or a join table, holds what a to-many relationship has.
    let members = found.relationship.isToMany ? own.makers : []
    for other in step.makers(under: inverse.owner) {
      let stated = try stated(inverse.relationship.name, under: other)
      guard stated.makers.contains(maker) || members.contains(other) else { continue }
      let back = before.entity(named: other.sourceEntityName)
        .flatMap { entity in stated.name.flatMap { before.relationship(named: $0, of: entity) } }
        .flatMap { before.inverse(of: $0.relationship)?.relationship.name }
      guard let ownName = own.name, ownName == back else {
        throw FusionBarrier(
          "the two sides of \(entity.name).\(found.relationship.name) differ in \(step.name)"
        )
      }
    }
    return own
  }

  private func stated(
    _ name: String,
    under maker: EntityMapping
  ) throws(FusionBarrier) -> RelationshipOrigin {
    guard case .instances(let path, let mappingName) = maker.relationship(name),
      let entity = before.entity(named: maker.sourceEntityName),
      let made = version.entity(named: maker.destinationEntityName),
      let relationship = version.relationship(named: name, of: made)?.relationship
    else { return .nothing }
    guard path.count == 1,
      let found = before.relationship(named: path[0], of: entity)?.relationship,
      let end = before.entity(named: found.destinationEntityName),
      RelationshipShape(found, in: before) == RelationshipShape(relationship, in: version)
    else { throw FusionBarrier("\(made.name).\(name) holds other objects in \(step.name)") }
    return .path(path[0], by: targets(named: mappingName, from: end, for: relationship))
  }

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
}

extension ValueExpression {
  /// `nil` for any expression but a key path from its object.
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
  /// Those of a relationship of the version before, by some of the entity mappings.
  case path(String, by: [EntityMapping])

  fileprivate var name: String? {
    if case .path(let name, _) = self { name } else { nil }
  }

  fileprivate var makers: [EntityMapping] {
    if case .path(_, let makers) = self { makers } else { [] }
  }
}

/// The cardinality and order of both sides of a relationship.
struct RelationshipShape: Hashable {
  let isToMany: Bool
  let isOrdered: Bool
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
