internal import BulkLowering
internal import BulkModel
internal import BulkStore

/// Inserts single rows for policies, and hands out their keys.
final class DestinationRows {
  private let work: MigrationWork
  private let sink: any RowSink
  /// The associations that no table records.
  let derived: DerivedAssociations
  /// The keys of the objects that were found or made for given values.
  let foundKeys: FoundKeys
  private let inverted: ListedAssociations
  private let relationships: RelationshipWriter
  private var columns = RecurringNames<RowColumns>()
  private let newKeys: NewKeys
  private let lookup: RowLookup
  /// How many objects were inserted, and relationships set.
  private(set) var changes = 0

  init(_ work: MigrationWork, _ session: StoreSession, _ sink: any RowSink, newKeys: NewKeys) {
    self.newKeys = newKeys
    self.work = work
    self.sink = sink
    derived = DerivedAssociations(work, session)
    foundKeys = FoundKeys(session)
    inverted = ListedAssociations(session, by: .object)
    relationships = RelationshipWriter(work.destination, session)
    lookup = RowLookup(session)
  }

  /// Whether there is an object of a mapping with a key; it may have been left out.
  func exists(_ key: Int64, of mapping: InstanceMapping) throws -> Bool {
    try lookup.entity(ofRow: key, in: mapping.destinationTable) != nil
  }

  /// A new object of an entity.
  ///
  /// - Throws: ``PolicyError`` if the entity does not exist or is abstract.
  func makeInstance(of name: String) throws -> DestinationInstance {
    if let known = columns.value(of: name) { return DestinationInstance(known) }
    let entity = try entity(named: name)
    guard !entity.isAbstract else {
      throw PolicyError("entity \(name) is abstract and can have no objects")
    }
    let found = RowColumns(EntityRowShape(entity, in: work.destination))
    return DestinationInstance(columns.add(found, for: name))
  }

  /// An entity of the destination.
  ///
  /// - Throws: ``PolicyError`` with the nearest name if the entity does not exist.
  @discardableResult
  func entity(named name: String) throws -> EntityDescription {
    guard let entity = work.destination.model.entity(named: name) else {
      throw PolicyError.unknownEntity(name, in: work.destination.model.entities)
    }
    return entity
  }

  /// Inserts a row under a given key, or under a new one.
  func insert(_ row: inout EntityRow, key: Int64?) throws -> ObjectID {
    row.key = try key ?? newKey(in: row.shape.table)
    try sink.insert(row)
    changes += 1
    return ObjectID(entityName: row.shape.entity.name, key: row.key)
  }

  func set(_ members: [ObjectID], for relationship: String, of object: ObjectID) throws {
    let entity = try entity(named: object.entityName)
    for member in members { try self.entity(named: member.entityName) }
    changes += 1
    guard try relationships.set(members, for: relationship, of: object) else {
      let known = work.destination.model.relationships(of: entity).filter { !$0.isTransient }
      throw PolicyError.unknownProperty(
        relationship,
        "stored relationship",
        of: object.entityName,
        known: known.map(\.name)
      )
    }
  }

  /// The source keys from which a mapping made an object, by its association table.
  func sources(of key: Int64, in index: Int, _ pairs: AssociationTables) throws -> [Int64] {
    try inverted.keys(of: key, in: index) { add in
      try pairs.pairs(of: index) { source, destination in try add(source, destination) }
    }
  }

  private func newKey(in table: String) throws -> Int64 {
    guard let key = newKeys.take(in: table) else {
      throw PolicyError("no keys are left in table \(table)")
    }
    return key
  }
}
