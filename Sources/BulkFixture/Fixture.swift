public import BulkModel
internal import BulkSQLite
internal import BulkStore
internal import BulkPlatform

/// Makes synthetic stores of a model: valid ones, or deliberately invalid ones.
///
/// Equal requests give equal bytes. Memory use does not grow with the store.
public struct Fixture {
  private let model: ManagedObjectModel
  private let request: FixtureRequest
  private let schema: StoreSchema
  private let plan: KeyPlan
  /// Called after every batch with the number of rows written.
  public var report: (Int64) -> Void = { _ in }

  /// The version of Core Data whose conventions the store follows.
  ///
  /// Core Data repairs nothing in a store of this version (formats/migration.md 10), so everything that it takes for
  /// granted is written: triggers of derived attributes, which it makes up to 1212 only, R-trees, digest and checksum of
  /// the model, and the model itself.
  private static let frameworkVersion: Int64 = 1345
  private static let batchRows: Int64 = 4096

  /// A fixture of a model.
  ///
  /// - Throws: ``FixtureError`` if the request names something that the model does not have.
  public init(_ model: ManagedObjectModel, _ request: FixtureRequest) throws(FixtureError) {
    try request.check(against: model)
    self.model = model
    self.request = request
    schema = StoreSchema(model)
    plan = KeyPlan(schema, rows: request.rows)
  }

  /// Writes the store.
  ///
  /// It appears under its name when it is complete.
  ///
  /// - Returns: The number of rows, including those of join tables.
  /// - Throws: ``FixtureError``.
  public func write(to path: String) throws(FixtureError) -> Int64 {
    let manager = FileManager.default
    let support = ExternalBinaryData.supportFolder(of: path)
    for name in [path, support] where manager.fileExists(atPath: name) { throw .exists(name) }
    let suffix = ".unfinished-\(SystemHost.current.identifier())"
    let (scratch, files) = (path + suffix, support + suffix)
    defer { for name in [scratch, files] { try? manager.removeItem(atPath: name) } }
    do {
      let folder = "\(files)/_EXTERNAL_DATA"
      if !request.externalRates.isEmpty {
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      let rows = try fill(scratch, files: folder)
      // A store is never without its values.
      if !request.externalRates.isEmpty { try manager.moveItem(atPath: files, toPath: support) }
      try manager.moveItem(atPath: scratch, toPath: path)
      return rows
    } catch {
      throw .cannotWrite("\(path) cannot be written: \(error)")
    }
  }

  private func fill(_ path: String, files: String) throws -> Int64 {
    let session = try StoreSession(
      path: path,
      pageSize: 4096,
      caches: StoreSession.CacheSizes(destination: 16_384, source: 0)
    )
    let builder = StoreBuilder(session)
    for table in schema.entityTables { try builder.create(SchemaSQL.create(table)) }
    for table in schema.joinTables { try builder.create(SchemaSQL.create(table)) }
    let sink = SQLRowSink(session)
    for table in schema.entityTables { try fill(table, files: files, sink) }
    for (number, table) in schema.joinTables.enumerated() {
      try fill(table, number: number, sink)
    }
    try finish(session, builder)
    return sink.counted.rows
  }

  private func fill(_ table: EntityTable, files: String, _ sink: any RowSink) throws {
    for entity in KeyPlan.entities(of: table, in: schema) where !entity.isAbstract {
      let maker = RowMaker(entity, in: table, schema: schema, plan: plan, request: request)
      try sink.fill(table.name, table.columns.map(\.name), streamsLargeValues: false) { rows in
        try fill(rows, of: sink, maker.keys.count) {
          try maker.append(rowAt: $0, to: &$1, files: files)
        }
      }
    }
  }

  private func fill(_ table: JoinTable, number: Int, _ sink: any RowSink) throws {
    let maker = JoinMaker(table, number: number, schema: schema, plan: plan, request: request)
    guard let maker else { return }
    try sink.fill(table.name, table.columns, streamsLargeValues: false) { rows in
      try fill(rows, of: sink, maker.owners.count) { maker.append(ownerAt: $0, to: &$1) }
    }
  }

  /// Fills a table batch by batch.
  private func fill(
    _ rows: any TableSink,
    of sink: any RowSink,
    _ count: Int64,
    append: (Int64, inout [SQLiteValue]) throws -> Void
  ) throws {
    var values: [SQLiteValue] = []
    func flush() throws {
      try rows.append(values)
      report(sink.counted.rows)
      values.removeAll(keepingCapacity: true)
    }
    for place in 0..<count {
      try append(place, &values)
      if (place + 1) % Self.batchRows == 0 { try flush() }
    }
    if !values.isEmpty { try flush() }
  }

  private func finish(_ session: StoreSession, _ builder: StoreBuilder) throws {
    let allowsDuplicates = request.dirt.rate(.duplicates) > 0
    for index in schema.indexes where !(allowsDuplicates && index.isUnique) {
      try builder.create(index.sql)
    }
    for ordering in schema.memberOrderings { try ordering.assignPlaces(session) }
    for derived in schema.derivedAttributes { try derived.compute(session, now: 0) }
    let definition = StoreDefinition(schema)
    for part in definition.parts() {
      switch part {
      case .primaryKeys: try builder.insert(schema.primaryKeyEntries { plan.highestKey(of: $0) })
      case .metadata: try builder.insert(metadata, of: definition)
      default: try builder.make(part, of: definition)
      }
    }
    try builder.useWriteAheadMode()
  }

  private var metadata: StoreMetadata {
    .fresh(for: model, uuid: uuid, frameworkVersion: Self.frameworkVersion)
  }

  /// The store's identifier, derived from the seed.
  private var uuid: String {
    var random = RepeatableRandom(seed: request.seed)
    return ValueMaker.uuidText(&random)
  }
}

/// Makes the pairs of one many-to-many relationship, owner by owner in ascending order of keys.
struct JoinMaker: Sendable {
  let owners: KeyPlan.Keys
  private let members: KeyPlan.Keys
  /// The mean number of members of an owner.
  private let mean: Double
  private let isOrdered: Bool
  private let hasOwnerOrder: Bool
  private let stream: UInt64
  private let request: FixtureRequest
  private static let usualMean = 1.5

  init?(
    _ table: JoinTable,
    number: Int,
    schema: StoreSchema,
    plan: KeyPlan,
    request: FixtureRequest
  ) {
    guard
      let owner = schema.model.entity(named: table.owner.entity),
      let relationship = owner.relationships.first(where: { $0.name == table.owner.property }),
      let member = schema.model.entity(named: relationship.destinationEntityName)
    else { return nil }
    owners = plan.keysOfHierarchy(of: owner)
    members = plan.keysOfHierarchy(of: member)
    let membersPerOwner = Double(members.count) / Double(max(owners.count, 1))
    mean =
      request.links[table.owner.description]
      ?? request.links[table.inverse.description].map { $0 * membersPerOwner } ?? Self.usualMean
    isOrdered = table.memberOrderColumn != nil
    hasOwnerOrder = table.ownerOrderColumn != nil
    stream = UInt64(number) + 1 << 32
    self.request = request
  }

  /// Appends the pairs of the owner at an index from 0: keys of owner and member, then their positions if
  /// the table has columns for them; the owner's position in the inverse is filled in later.
  func append(ownerAt place: Int64, to values: inout [SQLiteValue]) {
    guard members.count > 0 else { return }
    let owner = owners.key(at: place)
    var random = RepeatableRandom(seed: request.seed, stream: stream, index: owner)
    let drawn = memberPlaces(&random)
    for (rank, member) in drawn.enumerated().sorted(by: { $0.element < $1.element }) {
      values.append(.integer(owner))
      values.append(.integer(members.key(at: member)))
      if isOrdered {
        values.append(.integer(MemberOrdering.first + MemberOrdering.step * Int64(rank)))
      }
      if hasOwnerOrder { values.append(.null) }
    }
  }

  /// Distinct members in positional order.
  private func memberPlaces(_ random: inout RepeatableRandom) -> [Int64] {
    let count = memberCount(&random)
    var result: [Int64] = []
    var taken: Set<Int64> = []
    while result.count < count {
      var member = request.skew.draw(below: members.count, &random)
      while !taken.insert(member).inserted { member = (member + 1) % members.count }
      result.append(member)
    }
    return result
  }

  /// A number of members, drawn uniformly from a range around the mean.
  private func memberCount(_ random: inout RepeatableRandom) -> Int64 {
    let target = min(mean, Double(members.count))
    let spread = min(target, Double(members.count) - target)
    let least = Int64(target - spread)
    let width = Int64(spread * 2)
    let count = width == 0 ? least : least + random.below(width + 1)
    // Corrects for the part of the mean that whole numbers alone would miss.
    let rest = target - Double(least) - Double(width) / 2
    return rest > 0 && random.unit() < rest ? count + 1 : count
  }
}
