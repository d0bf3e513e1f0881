internal import BulkLowering
public import BulkMapping
public import BulkModel
internal import BulkPlan
internal import BulkStore

/// The running migration, as policies see it (`NSMigrationManager`).
///
/// A manager is used by one policy at a time, inside of its hooks.
public final class MigrationManager {
  /// The mapping model.
  public let mappingModel: MappingModel
  /// The model of the store that is read.
  public let sourceModel: ManagedObjectModel
  /// The model of the store that is made.
  public let destinationModel: ManagedObjectModel
  /// Values that policies keep from one call to the next; an interrupted migration keeps them too.
  public var userInfo: [String: AttributeValue] = [:]
  /// The entity mapping that is being carried out.
  public internal(set) var currentEntityMapping: EntityMapping?

  private let instances: [InstanceMapping]
  private let associations: AssociationTables
  let rows: DestinationRows
  /// The numbers of the entity mappings whose objects are all made.
  var finished: Set<Int> = []
  /// The source object whose turn it is, as far as the mapping says what becomes of it.
  var current: MappedRow?

  init(_ work: MigrationWork, _ rows: DestinationRows, _ associations: AssociationTables) {
    mappingModel = work.mapping
    sourceModel = work.layout.schema.model
    destinationModel = work.destination.model
    instances = work.instances.creations.map(\.mapping)
    self.rows = rows
    self.associations = associations
  }

  /// The entity that a mapping reads.
  public func sourceEntity(for mapping: EntityMapping) -> EntityDescription? {
    mapping.sourceEntityName.flatMap { sourceModel.entity(named: $0) }
  }

  /// The entity whose objects a mapping makes.
  public func destinationEntity(for mapping: EntityMapping) -> EntityDescription? {
    mapping.destinationEntityName.flatMap { destinationModel.entity(named: $0) }
  }

  /// A new object of an entity, with the model's default values.
  ///
  /// - Throws: ``PolicyError`` if the destination has no such entity, or it is abstract.
  public func makeInstance(ofEntity name: String) throws -> DestinationInstance {
    DestinationInstance(EntityRow(try rows.shape(of: name)))
  }

  /// The object that a mapping describes for a source object; it is not inserted yet.
  ///
  /// - Throws: ``PolicyError`` if the source object is not the one whose turn it is, and what a function
  ///   of the policy throws.
  public func evaluate(
    _ mapping: EntityMapping,
    forSource source: borrowing SourceInstance
  ) throws -> DestinationInstance {
    let current = try current(source, in: mapping)
    var row = EntityRow(try rows.shape(of: mapping.destinationEntityName ?? ""))
    try current.fillAttributes(of: &row)
    return DestinationInstance(row)
  }

  /// Inserts an object that was made of a source object, and associates the two.
  ///
  /// The first object of a source object keeps its key where the mapping lets it; the relationships
  /// that the mapping describes are set unless the instance has them already.
  ///
  /// - Returns: The identity of the object.
  @discardableResult
  public func insert(
    _ instance: consuming DestinationInstance,
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping
  ) throws -> ObjectID {
    let current = try current(source, in: mapping)
    var row = instance.row
    let isDescribed = row.shape.entity.name == mapping.destinationEntityName
    if isDescribed { current.fillRelationships(of: &row, besides: instance.setRelationships) }
    let isFirst = isDescribed && !current.hasInserted
    let id = try rows.insert(row, key: isFirst ? current.keptKey : nil)
    if isFirst { self.current?.hasInserted = true }
    self.current?.outcome = .made
    try associations.append(current.sourceKey, id.key)
    return id
  }

  /// Inserts an object that was made of no source object.
  ///
  /// - Returns: The identity of the object.
  @discardableResult
  public func insert(_ instance: consuming DestinationInstance) throws -> ObjectID {
    let id = try rows.insert(instance.row, key: nil)
    current?.outcome = .made
    return id
  }

  /// Associates the source object whose turn it is with an object that is there already.
  ///
  /// - Throws: ``PolicyError`` if it is the turn of another source object or mapping, or the destination
  ///   does not have the object's entity.
  public func associate(
    sourceInstance source: borrowing SourceInstance,
    withDestinationInstance destination: ObjectID,
    for mapping: EntityMapping
  ) throws {
    let current = try current(source, in: mapping)
    try rows.entity(named: destination.entityName)
    noteMerge()
    try associations.append(current.sourceKey, destination.key)
  }

  /// The object that was inserted for some values first, or a new one.
  ///
  /// What was found or made is kept on the disk, so that it is found again however many objects lie
  /// between, within the memory limit.
  ///
  /// - Parameters:
  ///   - entity: The entity of the object.
  ///   - values: The values by which it is found; a new object gets them too.
  ///   - make: Gives a new object its other values.
  /// - Returns: The identity of the object.
  /// - Throws: ``PolicyError`` if there is no such entity, or it stores no attribute of a name, and what
  ///   `make` throws.
  public func findOrInsert(
    _ entity: String,
    with values: [String: AttributeValue],
    _ make: (inout DestinationInstance) throws -> Void = { _ in }
  ) throws -> ObjectID {
    let names = values.keys.sorted()
    if let key = try rows.found(entity, names.map { ($0, values[$0] ?? .null) }) {
      noteMerge()
      return ObjectID(entityName: entity, key: key)
    }
    var instance = try makeInstance(ofEntity: entity)
    for name in names { try instance.setValue(values[name], forKey: name) }
    try make(&instance)
    let id = try insert(instance)
    try rows.addFound(id, names.map { ($0, values[$0] ?? .null) })
    return id
  }

  /// The objects that an entity mapping made of source objects, in the order of these.
  ///
  /// - Parameters:
  ///   - name: The entity mapping's name; its objects must all be made.
  ///   - keys: The source objects' keys.
  /// - Returns: The identities of the objects.
  /// - Throws: ``PolicyError`` if there is no such mapping, or not all of its objects are made.
  public func destinationInstances(
    forEntityMappingNamed name: String,
    sourceKeys keys: [Int64]
  ) throws -> [ObjectID] {
    let mapping = try finishedMapping(name)
    let entity = mapping.destination.name
    return try keys.flatMap { key -> [ObjectID] in
      let found =
        mapping.isRecorded
        ? try associations.destinationKeys(of: [key], in: mapping.index)[0]
        : try rows.made(of: key, by: mapping).map { [$0] } ?? []
      return found.map { ObjectID(entityName: entity, key: $0) }
    }
  }

  /// The source objects of which an entity mapping made objects, in the order of these.
  ///
  /// - Parameters:
  ///   - name: The entity mapping's name; its objects must all be made.
  ///   - keys: The destination objects' keys.
  /// - Returns: The identities of the source objects.
  /// - Throws: ``PolicyError`` if there is no such mapping, or not all of its objects are made.
  public func sourceInstances(
    forEntityMappingNamed name: String,
    destinationKeys keys: [Int64]
  ) throws -> [ObjectID] {
    let mapping = try finishedMapping(name)
    return try keys.flatMap { key -> [ObjectID] in
      let found: [Int64]
      if mapping.isRecorded {
        found = try rows.sources(of: key, in: mapping.index, associations)
      } else {
        let (source, overflow) = key.subtractingReportingOverflow(mapping.keyOffset)
        let isMade = try !overflow && rows.made(of: source, by: mapping) == key
        found = isMade ? [source] : []
      }
      return found.map { ObjectID(entityName: mapping.source.name, key: $0) }
    }
  }

  /// Lets a relationship lead to some objects and to no others; the inverse follows.
  ///
  /// It is for `createRelationships` and later hooks, when all objects are there.
  ///
  /// - Parameters:
  ///   - objects: The objects, in order; of a to-one relationship the first counts.
  ///   - relationship: The relationship's name.
  ///   - object: The object whose relationship it is.
  /// - Throws: ``PolicyError`` if the object's entity stores no such relationship, or the destination
  ///   does not have the entity of one of the objects.
  public func setObjects(
    _ objects: [ObjectID],
    for relationship: String,
    of object: ObjectID
  ) throws {
    try rows.set(objects, for: relationship, of: object)
  }

  /// Notes that the source object has become one that was there already, unless it became another too.
  private func noteMerge() {
    if current?.outcome == .nothing { current?.outcome = .merged }
  }

  private func finishedMapping(_ name: String) throws -> InstanceMapping {
    guard let mapping = instances.first(where: { $0.mapping.name == name }) else {
      throw PolicyError.unknownMapping(name, known: instances.map(\.mapping.name))
    }
    guard finished.contains(mapping.index) else {
      throw PolicyError("the objects of entity mapping \(name) are not made yet")
    }
    return mapping
  }

  private func current(
    _ source: borrowing SourceInstance,
    in mapping: EntityMapping
  ) throws -> MappedRow {
    guard
      let current, current.sourceKey == source.objectID.key,
      currentEntityMapping?.name == mapping.name
    else {
      throw PolicyError(
        "it is not the turn of object \(source.objectID.key) of entity \(source.objectID.entityName) "
          + "in entity mapping \(mapping.name)"
      )
    }
    return current
  }
}
