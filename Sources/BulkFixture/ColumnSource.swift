internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// Determines what the columns of one entity's rows are made from.
struct ColumnSource {
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
    (self.entity, self.schema, self.plan, self.request) = (entity, schema, plan, request)
    let above = schema.model.lineage(of: entity)
    lineage = Set(above.map(\.name))
    unique = Set(above.flatMap(\.uniquenessConstraints).compactMap(\.first))
  }

  /// Whether the entity has a property, own or inherited.
  func owns(_ key: PropertyKey) -> Bool { lineage.contains(key.entity) }

  /// How values of an attribute are made; nil where the entity does not have it or the store computes it.
  func attribute(_ key: PropertyKey) -> RowMaker.Column {
    guard owns(key), let attribute = schema.model.attribute(key), !attribute.isDerived
    else { return .constant(.null) }
    return .attribute(
      ValueMaker(
        attribute,
        key: key.description,
        request: request,
        isUnique: unique.contains(attribute.name)
      )
    )
  }

  func toOne(_ key: PropertyKey) -> RowMaker.Column {
    guard owns(key), let relationship = schema.model.relationship(key),
      let target = schema.model.entity(named: relationship.destinationEntityName)
    else { return .constant(.null) }
    let keys = plan.keysOfHierarchy(of: target)
    // In a one-to-one relationship, objects at the same position belong together.
    if let inverse = schema.model.inverse(of: relationship), !inverse.relationship.isToMany {
      let own = plan.keysOfHierarchy(of: schema.model.entity(named: key.entity) ?? entity)
      let offset = plan.keys(of: entity).first - own.first
      return .paired(
        KeyPlan.Keys(first: keys.first + offset, count: max(keys.count - offset, 0))
      )
    }
    return .drawn(keys, nilRate: relationship.isOptional ? 0.02 : 0)
  }

  /// The owner of an object in a to-many relationship without inverse.
  func hidden(_ key: PropertyKey) -> RowMaker.Column {
    guard
      let relationship = schema.model.relationship(key),
      lineage.contains(relationship.destinationEntityName),
      let owner = schema.model.entity(named: key.entity)
    else { return .constant(.null) }
    return .drawn(plan.keysOfHierarchy(of: owner), nilRate: 0.02)
  }

  /// The numbers of the possible destination entities of a to-one relationship, by key.
  func entityNumbers(of key: PropertyKey) -> [(lastKey: Int64, number: Int64)] {
    guard
      let relationship = schema.model.relationship(key),
      let target = schema.model.entity(named: relationship.destinationEntityName)
    else { return [] }
    return plan.entityNumbers(of: target)
  }
}

/// The keys of all objects, determined before any is written.
///
/// In each table the entities are arranged by number, so the objects of an entity and of all that inherit
/// from it have consecutive keys.
struct KeyPlan: Sendable {
  /// Consecutive keys; empty where `count` is 0.
  struct Keys: Sendable {
    let first: Int64
    let count: Int64

    /// The key at an index from 0.
    func key(at place: Int64) -> Int64 { first + place }
  }

  private let schema: StoreSchema
  /// The keys of each entity's own objects, by its number; the numbers of a table ascend.
  private let own: [Int64: Keys]

  init(_ schema: StoreSchema, rows: [String: Int64]) {
    self.schema = schema
    var own: [Int64: Keys] = [:]
    for table in schema.entityTables {
      var next: Int64 = 1
      for entity in Self.entities(of: table, in: schema) {
        let count = entity.isAbstract ? 0 : rows[entity.name] ?? 0
        own[schema.numbering.number(of: entity.name)] = Keys(first: next, count: count)
        next += count
      }
    }
    self.own = own
  }

  /// The entities of a table, by number.
  static func entities(of table: EntityTable, in schema: StoreSchema) -> [EntityDescription] {
    schema.numbering.entities.filter { schema.table(of: $0).name == table.name }
  }

  /// The keys of an entity's own objects.
  func keys(of entity: EntityDescription) -> Keys {
    own[schema.numbering.number(of: entity.name)] ?? Keys(first: 1, count: 0)
  }

  /// The keys of the objects of an entity and of all that inherit from it.
  func keysOfHierarchy(of entity: EntityDescription) -> Keys {
    let all = schema.model.hierarchy(from: entity).map { keys(of: $0) }
    let filled = all.filter { $0.count > 0 }
    return Keys(
      first: filled.map(\.first).min() ?? 1,
      count: filled.reduce(0) { $0 + $1.count }
    )
  }

  /// The entity numbers of a hierarchy with the last key of each, by key.
  func entityNumbers(of entity: EntityDescription) -> [(lastKey: Int64, number: Int64)] {
    schema.model.hierarchy(from: entity)
      .map { (keys(of: $0), schema.numbering.number(of: $0.name)) }
      .filter { $0.0.count > 0 }
      .map { ($0.0.first + $0.0.count - 1, $0.1) }
      .sorted { $0.lastKey < $1.lastKey }
  }

  func highestKey(of table: EntityTable) -> Int64 {
    Self.entities(of: table, in: schema).map { keys(of: $0) }
      .filter { $0.count > 0 }.map { $0.first + $0.count - 1 }.max() ?? 0
  }
}
