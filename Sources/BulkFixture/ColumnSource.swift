internal import BulkModel
internal import BulkStore

/// Determines what the columns of one entity's rows are made from.
struct ColumnSource {
  /// The destination of a to-one relationship.
  enum Target {
    case none
    case drawn(KeyPlan.Keys, nilRate: Double)
    case paired(KeyPlan.Keys)
  }

  private let entity: EntityDescription
  private let lineage: Set<String>
  private let schema: StoreSchema
  private let plan: KeyPlan
  private let request: FixtureRequest
  /// The attributes that keep rows distinct under uniqueness constraints, own or inherited.
  private let unique: Set<String>

  init(
    _ entity: EntityDescription,
    schema: StoreSchema,
    plan: KeyPlan,
    request: FixtureRequest
  ) {
    self.entity = entity
    self.schema = schema
    self.plan = plan
    self.request = request
    let above = schema.model.lineage(of: entity)
    lineage = Set(above.map(\.name))
    unique = Set(above.flatMap(\.uniquenessConstraints).compactMap(\.first))
  }

  /// Whether the entity has a property, own or inherited.
  func owns(_ key: PropertyKey) -> Bool { lineage.contains(key.entity) }

  /// How values of an attribute, or of an element of a composite one, are made; `nil` if the entity does
  /// not have it or the store computes it.
  func attribute(_ key: PropertyKey, path: [String]) -> ValueMaker? {
    guard
      owns(key),
      let owner = schema.model.entity(named: key.entity),
      let attribute = owner.attributes.first(where: { $0.name == key.property }),
      !attribute.isDerived
    else { return nil }
    var leaf = attribute
    for name in path {
      guard let element = leaf.elements.first(where: { $0.name == name }) else { return nil }
      leaf = element
    }
    return ValueMaker(
      leaf,
      type: leaf.attributeType,
      key: key.description,
      request: request,
      isUnique: path.isEmpty && unique.contains(attribute.name)
    )
  }

  /// The destination of a to-one relationship of the entity.
  func toOne(_ key: PropertyKey) -> Target {
    guard owns(key), let relationship = relationship(key) else { return .none }
    guard let target = schema.model.entity(named: relationship.destinationEntityName) else {
      return .none
    }
    let keys = plan.keysOfHierarchy(of: target)
    // In a one-to-one relationship, objects at the same position belong together.
    if let inverse = schema.model.inverse(of: relationship), !inverse.relationship.isToMany {
      let own = plan.keysOfHierarchy(of: schema.model.entity(named: key.entity) ?? entity)
      let offset = plan.keys(of: entity).first - own.first
      return .paired(keys.dropping(offset))
    }
    return .drawn(keys, nilRate: relationship.isOptional ? 0.02 : 0)
  }

  /// The owner of an object in a to-many relationship without inverse.
  func hidden(_ key: PropertyKey) -> Target {
    guard
      let relationship = relationship(key), lineage.contains(relationship.destinationEntityName),
      let owner = schema.model.entity(named: key.entity)
    else { return .none }
    return .drawn(plan.keysOfHierarchy(of: owner), nilRate: 0.02)
  }

  /// The numbers of the possible destination entities of a to-one relationship, by key.
  func entityNumbers(of key: PropertyKey) -> [(lastKey: Int64, number: Int64)] {
    guard
      let relationship = relationship(key),
      let target = schema.model.entity(named: relationship.destinationEntityName)
    else { return [] }
    return plan.entityNumbers(of: target)
  }

  private func relationship(_ key: PropertyKey) -> RelationshipDescription? {
    schema.model.entity(named: key.entity)?.relationships.first { $0.name == key.property }
  }
}

extension KeyPlan.Keys {
  /// The keys without some at the beginning.
  fileprivate func dropping(_ offset: Int64) -> KeyPlan.Keys {
    KeyPlan.Keys(first: first + offset, count: max(count - offset, 0))
  }
}
