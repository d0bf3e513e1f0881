internal import BulkSupport
internal import BulkPlan
public import BulkMapping
public import BulkModel
internal import BulkStore

/// The running migration, as policies see it (`NSMigrationManager`).
///
/// A manager is used by one policy at a time, within its hooks.
public final class MigrationManager {
  /// The mapping model that is carried out.
  public let mappingModel: MappingModel
  /// The model of the source.
  public let sourceModel: ManagedObjectModel
  /// The model of the destination.
  public let destinationModel: ManagedObjectModel
  /// Values that policies keep between calls; they survive an interruption.
  public var userInfo: [String: AttributeValue] = [:]
  /// The entity mapping being carried out.
  public internal(set) var currentEntityMapping: EntityMapping?

  private let transformers: TransformerRegistry
  private let instances: [InstanceMapping]
  private let associations: AssociationTables
  private let violations: ViolationReport
  let rows: DestinationRows
  /// Whether objects may have been left out.
  var isValidating = false
  var finished: Set<Int> = []
  var current: CurrentObject?
  var related: (object: ObjectID, source: ObjectID)?

  init(
    _ work: MigrationWork,
    _ rows: DestinationRows,
    _ associations: AssociationTables,
    reporting violations: ViolationReport,
    transformers: TransformerRegistry
  ) {
    mappingModel = work.mapping
    sourceModel = work.layout.schema.model
    destinationModel = work.destination.model
    instances = work.instances.creations.map(\.mapping)
    self.rows = rows
    self.transformers = transformers
    self.associations = associations
    self.violations = violations
  }

  /// Throws ``StoreError/Cause/interruption`` if the migration is to stop.
  func endIfStopped() throws(StoreError) {
    try rows.session.endIfStopped(after: WorkWatch.stepsBetweenChecks)
  }

  /// The source entity of a mapping.
  public func sourceEntity(for mapping: EntityMapping) -> EntityDescription? {
    mapping.sourceEntityName.flatMap { sourceModel.entity(named: $0) }
  }

  /// The destination entity of a mapping.
  public func destinationEntity(for mapping: EntityMapping) -> EntityDescription? {
    mapping.destinationEntityName.flatMap { destinationModel.entity(named: $0) }
  }

  /// A transformer of the program, by the name that attributes have as their transformer in a model.
  ///
  /// - Throws: ``PolicyError`` if the program has none of that name.
  public func transformer(named name: String) throws -> any AttributeTransformer {
    guard let found = transformers.plugIn(named: name) else {
      throw PolicyError("this program has no transformer \(name)")
    }
    return found
  }

  /// Makes an object of an entity, with the model's default values.
  ///
  /// - Throws: ``PolicyError`` if the destination has no such entity, or it is abstract.
  public func makeInstance(ofEntity name: String) throws -> DestinationInstance {
    try rows.makeInstance(of: name)
  }

  /// Makes the object that a mapping describes for a source object, without inserting it.
  ///
  /// - Throws: ``PolicyError`` if the source object is not the current one, and any error of a
  ///   function of the policy.
  public func evaluate(
    _ mapping: EntityMapping,
    forSource source: borrowing SourceInstance
  ) throws -> DestinationInstance {
    let current = try current(source, in: mapping)
    var instance = try rows.makeInstance(of: mapping.destinationEntityName ?? "")
    try current.row.fillAttributes(of: &instance.row)
    return instance
  }

  /// Inserts an object made from a source object, and associates the two.
  ///
  /// The first object of a source object keeps its key if the mapping allows it; the relationships that the
  /// mapping describes are set unless the instance has them already.
  @discardableResult
  public func insert(
    _ instance: consuming DestinationInstance,
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping
  ) throws -> ObjectID {
    let current = try current(source, in: mapping)
    let isDescribed = instance.entityName == mapping.destinationEntityName
    if instance.row.shape.table == current.mapping.destinationTable {
      let names = instance.partners.map(\.relationship)
      current.row.columns.fillRelationships(of: &instance.row, except: names)
    }
    let isFirst = isDescribed && !current.hasInserted
    let id = try rows.insert(&instance, key: isFirst ? current.row.keptKey : nil)
    instance.end()
    if isFirst { current.hasInserted = true }
    current.outcome = .made
    try associate(current, with: id)
    return id
  }

  /// Inserts an object that was made from no source object.
  @discardableResult
  public func insert(_ instance: consuming DestinationInstance) throws -> ObjectID {
    let id = try rows.insert(&instance, key: nil)
    instance.end()
    current?.outcome = .made
    return id
  }

  /// Associates the current source object with an existing object.
  ///
  /// - Throws: ``PolicyError`` if another source object or mapping is the current one, or the object does not exist.
  public func associate(
    sourceInstance source: borrowing SourceInstance,
    withDestinationInstance destination: ObjectID,
    for mapping: EntityMapping
  ) throws {
    let current = try current(source, in: mapping)
    let object = try rows.existing(destination)
    noteMerge()
    try associate(current, with: object)
  }

  private func associate(_ current: CurrentObject, with object: ObjectID) throws {
    current.isAssociated = true
    let number = rows.work.destination.numbering.number(of: object.entityName)
    try associations.append(current.row.sourceKey, object.key, of: number, by: current.mapping)
  }

  /// Returns the object that was inserted first for the given values, or inserts one.
  ///
  /// The values and keys are kept on the disk, so an object is found again however many others were made since,
  /// within the memory limit. A new object gets the values, and `make` sets its others.
  ///
  /// - Throws: ``PolicyError`` if the entity does not exist, or does not store one of the attributes, and any
  ///   error of `make`.
  public func findOrInsert(
    _ entity: String,
    with values: [String: AttributeValue],
    _ make: (inout DestinationInstance) throws -> Void = { _ in }
  ) throws -> ObjectID {
    let sorted = values.sorted { $0.key < $1.key }
    let searched = FoundValues(entity, sorted.map { (name: $0.key, value: $0.value) })
    let id: ObjectID
    if let key = try rows.foundKeys.key(for: searched) {
      noteMerge()
      id = ObjectID(entityName: entity, key: key)
    } else {
      var instance = try makeInstance(ofEntity: entity)
      for (name, value) in sorted { try instance.setValue(value, forKey: name) }
      try make(&instance)
      id = try insert(instance)
      try rows.foundKeys.add(id.key, for: searched)
    }
    rows.lastFound = current == nil ? nil : id
    return id
  }

  /// The objects that an entity mapping made from source objects, in the order of the keys.
  ///
  /// - Throws: ``PolicyError`` if the mapping does not exist, or has objects left to make.
  public func destinationInstances(
    forEntityMappingNamed name: String,
    sourceKeys keys: [Int64]
  ) throws -> [ObjectID] {
    let mapping = try finishedMapping(name)
    let found =
      mapping.isRecorded ? try recorded(keys, by: mapping) : try makeObjects(keys, by: mapping)
    return try found.filter { try !isValidating || rows.find($0) != nil }
  }

  private func recorded(_ keys: [Int64], by mapping: InstanceMapping) throws -> [ObjectID] {
    // The table is read in the order of its keys, whatever their order in the request.
    let order = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    let sorted = order.map { keys[$0] }
    let matches = try associations.matches(of: sorted, in: mapping.index)
    let entities = try associations.entities(of: matches, from: sorted, by: mapping)
    var found = [[ObjectID]](repeating: [], count: keys.count)
    for (index, match) in matches.enumerated() {
      let number = entities?[index] ?? mapping.destinationNumber
      let entity = rows.work.destination.entityName(ofNumber: number)
      let object = ObjectID(entityName: entity, key: match.destinationKey)
      found[order[match.position]].append(object)
    }
    return found.flatMap(\.self)
  }

  private func makeObjects(_ keys: [Int64], by mapping: InstanceMapping) throws -> [ObjectID] {
    try keys.compactMap { key in
      try mapping.object(of: key, rows.lookup).map {
        ObjectID(entityName: mapping.destination.name, key: $0)
      }
    }
  }

  /// The source objects from which an entity mapping made objects, in the order of the keys.
  ///
  /// Without an entity the objects are of that of the mapping.
  ///
  /// - Throws: ``PolicyError`` if the mapping does not exist, or has objects left to make.
  public func sourceInstances(
    forEntityMappingNamed name: String,
    destinationKeys keys: [Int64],
    ofEntity entity: String? = nil
  ) throws -> [ObjectID] {
    let mapping = try finishedMapping(name)
    return try keys.flatMap { key -> [ObjectID] in
      let found: [Int64]
      if mapping.isRecorded {
        let object = ObjectID(entityName: entity ?? mapping.destination.name, key: key)
        found = try rows.sources(of: object, by: mapping, associations)
      } else {
        found = try mapping.source(of: key, rows.lookup).map { [$0] } ?? []
      }
      return found.map { ObjectID(entityName: mapping.source.name, key: $0) }
    }
  }

  /// Sets all objects of a relationship; the inverse follows.
  ///
  /// Call it in `createRelationships` or later hooks, when all objects exist. In `createDestinationInstances` it is done
  /// when the hook returns. A relationship of one that is given several objects breaks a rule.
  ///
  /// - Throws: ``PolicyError`` if the object's entity stores no such relationship, one of the objects does not
  ///   exist, or is not of the entity to which the relationship leads.
  public func setObjects(
    _ objects: [ObjectID],
    for relationship: String,
    of object: ObjectID
  ) throws {
    if let current {
      return current.postponed.append { try $0.setObjects(objects, for: relationship, of: object) }
    }
    let (owner, given) = try rows.set(objects, for: relationship, of: object)
    guard given.count > 1 else { return }
    let source = related.flatMap { $0.object == owner ? $0.source : nil }
    try refuse(owner, relationship, Violation.severalObjectsRule, given: given, from: source)
  }

  /// For an object for which a policy names several objects where Core Data takes one.
  func refuse(
    _ object: ObjectID,
    _ property: String,
    _ rule: String,
    given objects: [ObjectID],
    from source: ObjectID?
  ) throws {
    let value = objects.prefix(2).map { "\($0.entityName) \($0.key)" }.joined(separator: " and ")
    try violations.add(
      Violation(
        entity: object.entityName,
        key: object.key,
        origin: source.map {
          ObjectOrigin(
            mapping: currentEntityMapping?.name ?? "",
            entity: $0.entityName,
            key: $0.key
          )
        },
        property: property,
        rule: rule,
        value: value
      )
    )
  }

  func endCurrent() throws {
    let postponed = current?.postponed ?? []
    (current, rows.lastFound) = (nil, nil)
    for call in postponed { try call(self) }
  }

  /// Unless the source object became a new one too.
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
  ) throws -> CurrentObject {
    guard
      let current, current.row.sourceKey == source.objectID.key,
      currentEntityMapping?.name == mapping.name
    else {
      throw PolicyError(
        "object \(source.objectID.key) of \(source.objectID.entityName) is not the current source object "
          + "of entity mapping \(mapping.name)"
      )
    }
    return current
  }
}

/// The source object for which a policy is called, and what became of it so far.
final class CurrentObject {
  let row: MappedRow
  let mapping: InstanceMapping
  /// What is done when its hook returns.
  var postponed: [(MigrationManager) throws -> Void] = []
  var hasInserted = false
  var isAssociated = false
  var outcome = RowTally.Outcome.nothing

  init(_ row: MappedRow, _ mapping: InstanceMapping) { (self.row, self.mapping) = (row, mapping) }
}
