internal import BulkPlan
internal import BulkModel
internal import BulkStore

/// Inserts single rows for policies, and hands out their keys.
final class DestinationRows {
  let work: MigrationWork
  let session: StoreSession
  private let sink: any RowSink
  let foundKeys: FoundKeys
  private let inverted: ListedAssociations
  private var listed: Set<Int> = []
  private let relationships: RelationshipWriter
  private var columns = RecurringNames<RowColumns>()
  private let nextKey: (_ table: String) -> Int64?
  let lookup: RowLookup
  var lastFound: ObjectID?
  private(set) var changes = 0

  /// `nextKey` gives a new key of a table; `nil` if none is left.
  init(
    _ work: MigrationWork,
    _ session: StoreSession,
    _ sink: any RowSink,
    nextKey: @escaping (_ table: String) -> Int64?
  ) {
    self.nextKey = nextKey
    (self.work, self.session) = (work, session)
    self.sink = sink
    foundKeys = FoundKeys(session)
    inverted = ListedAssociations(session, by: .object)
    relationships = RelationshipWriter(work.destination, session)
    lookup = RowLookup(session)
  }

  /// The entity may be a subentity of the one that a policy names; `nil` if the object does not exist.
  func find(_ object: ObjectID) throws -> ObjectID? {
    if object == lastFound { return object }
    let (schema, entity) = (work.destination, try entity(named: object.entityName))
    let number = try lookup.entity(ofRow: object.key, in: schema.table(of: entity).name)
    guard let name = number.map(schema.entityName), isKind(name, of: entity.name) else {
      return nil
    }
    return ObjectID(entityName: name, key: object.key)
  }

  /// `subject` is where a policy names the object; throws ``PolicyError`` if it does not exist.
  func existing(_ object: ObjectID, _ subject: String = "") throws -> ObjectID {
    if let found = try find(object) { return found }
    throw PolicyError(
      "\(subject)\(object.entityName) \(object.key) does not exist; an object must exist before it is named, as all do in "
        + "createRelationships"
    )
  }

  func isKind(_ name: String, of other: String) -> Bool {
    let model = work.destination.model
    return name == other
      || model.entity(named: name).map(model.lineage)?.contains { $0.name == other } ?? false
  }

  /// Throws ``PolicyError`` for an object that does not exist, or is of another entity (`unacceptable type of
  /// value` in Core Data).
  private func partner(
    _ object: ObjectID,
    by relationship: String,
    to target: String,
    of owner: ObjectID
  ) throws -> ObjectID {
    let subject = "relationship \(relationship) of \(owner.entityName) \(owner.key): "
    let named = try entity(named: object.entityName).name
    let isPossible = isKind(named, of: target) || isKind(target, of: named)
    // An object that leads to itself does not exist yet.
    let isItself = object.key == owner.key && isKind(owner.entityName, of: named)
    let found = try isItself ? owner : isPossible ? existing(object, subject) : object
    if isKind(found.entityName, of: target) { return found }
    throw PolicyError("\(subject)\(found.entityName) \(found.key) is not an object of \(target)")
  }

  /// Throws ``PolicyError`` if the entity does not exist or is abstract.
  func makeInstance(of name: String) throws -> DestinationInstance {
    if let known = columns.value(of: name) { return DestinationInstance(known) }
    let entity = try entity(named: name)
    guard !entity.isAbstract else {
      throw PolicyError("entity \(name) is abstract and can have no objects")
    }
    let found = RowColumns(EntityRowShape(entity, in: work.destination))
    return DestinationInstance(columns.add(found, for: name))
  }

  /// Throws ``PolicyError`` with the nearest name if the entity does not exist.
  @discardableResult
  func entity(named name: String) throws -> EntityDescription {
    guard let entity = work.destination.model.entity(named: name) else {
      throw PolicyError.unknownEntity(name, in: work.destination.model.entities)
    }
    return entity
  }

  /// Without a key it gets a new one.
  func insert(_ instance: inout DestinationInstance, key: Int64?) throws -> ObjectID {
    let key = try key ?? newKey(in: instance.row.shape.table)
    let id = ObjectID(entityName: instance.entityName, key: key)
    for case (let name, let object?) in instance.partners {
      let target = instance.row.shape.target(of: name) ?? ""
      let partner = try partner(object, by: name, to: target, of: id)
      if partner != object { _ = instance.row.set(partner: partner, for: name) }
    }
    instance.row.key = key
    try sink.insert(instance.row)
    changes += 1
    return id
  }

  /// Returns the owner with the entity of its row, and, of a to-one relationship that is given several objects, all of them;
  /// the first is set.
  func set(
    _ members: [ObjectID],
    for name: String,
    of object: ObjectID
  ) throws -> (owner: ObjectID, given: [ObjectID]) {
    let owner = try existing(object)
    let (model, entity) = (work.destination.model, try entity(named: owner.entityName))
    let relationship = model.relationship(named: name, of: entity)?.relationship
    guard let relationship, !relationship.isTransient else {
      throw PolicyError.unknownProperty(
        name,
        "stored relationship",
        of: entity.name,
        known: model.relationships(of: entity).filter { !$0.isTransient }.map(\.name)
      )
    }
    let target = relationship.destinationEntityName
    let partners = try members.map { try partner($0, by: name, to: target, of: owner) }
    changes += 1
    _ = try relationships.set(partners, for: name, of: owner)
    guard !relationship.isToMany else { return (owner, []) }
    return (owner, partners.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
  }

  /// The keys of the source objects with which an object is associated under a mapping that records associations, ascending.
  func sources(
    of object: ObjectID,
    by mapping: InstanceMapping,
    _ associations: AssociationTables
  ) throws -> [Int64] {
    let table = work.destination.table(of: try entity(named: object.entityName))
    let numbers = work.destination.entityNumbers(in: table)
    // Objects of several tables may have the same keys.
    let list = Int(numbers.min() ?? 0) << 32 | mapping.index
    if associations.isFinished(mapping.index), listed.insert(list).inserted {
      try inverted.add(list) { add in
        try associations.pairs(of: mapping) { if numbers.contains($2) { try add($0, $1) } }
      }
    }
    return try inverted.keys(of: object.key, in: list)
  }

  private func newKey(in table: String) throws -> Int64 {
    guard let key = nextKey(table) else {
      throw PolicyError("no keys are left in table \(table)")
    }
    return key
  }
}
