internal import BulkMapping
internal import BulkModel
internal import BulkStore

struct PassBuilder {
  let work: MigrationWork
  let counts: RowCounts
  let memory: MemoryNeeds
  /// The number of objects that conditions exclude, by entity mapping.
  let leftOut: [String: Int64]
  let requests: [PassRequest]
  private var schema: StoreSchema { work.layout.schema }

  /// The passes, followed by one for entities that are removed with their whole table.
  func passes() throws(PlanError) -> [MigrationPlan.Pass] {
    let number = { (succession: EntitySuccession) -> Int64 in
      succession.destination.map { work.destination.numbering.number(of: $0) } ?? .max
    }
    // Those that end earlier come last.
    let changes = work.successions.sorted { number($0) < number($1) }.map { succession in
      var change = succession.change(rows: rows(of: succession.source))
      change.rowsLeftOut = change.mapping.flatMap { leftOut[$0] }
      return PassDivision.Change(change: change, root: destinationRoot(of: succession))
    }
    let groups = PassDivision(changes, in: work.destination.model, requests).groups
    let entities = groups.map { group in
      let changes = Dictionary(grouping: group.changes, by: \.root)
      return (group.roots + [nil]).flatMap { changes[$0] ?? [] }.map(\.change)
    }
    let items = WorkList(filling: work.step, in: entities.map(\.contents)).itemsByPass
    let creations = Dictionary(grouping: work.step.instances.creations, by: \.transfer.source)
    return groups.indices.map { index in
      pass(
        number: index + 1,
        groups[index].name,
        entities[index],
        items[index + 1] ?? [],
        creations: creations
      )
    }
  }

  private func rows(of sourceEntity: String?) -> Int64 {
    guard let sourceEntity else { return 0 }
    return counts.byEntity[schema.numbering.number(of: sourceEntity)] ?? 0
  }

  /// The root that lists a succession: the destination's, or for a removed entity that of the table to which
  /// its neighbours moved.
  private func destinationRoot(of succession: EntitySuccession) -> String? {
    let model = work.destination.model
    if let name = succession.destination, let entity = model.entity(named: name) {
      return model.root(of: entity).name
    }
    guard
      let name = succession.source,
      let entity = schema.model.entity(named: name)
    else { return nil }
    let table = schema.table(of: entity).name
    return work.transfers.entityRows.first { $0.source == table }
      .flatMap { transfer in
        work.destination.entityTable(named: transfer.destination)?.root
      }
  }

  private func pass(
    number: Int,
    _ name: String,
    _ entities: [MigrationPlan.EntityChange],
    _ items: [WorkItem],
    creations: [String: [InstanceCreation]]
  ) -> MigrationPlan.Pass {
    let (entityRows, joinRows) = (items.entityRows, items.joinRows)
    let linked = linkedPairs(items.links)
    let objects = entities.filter { $0.change != .removed }.reduce(0) { $0 + $1.rows }
    let pairs = joinRows.reduce(0) { $0 + counts.rows(of: $1.source, schema) } + linked
    let filled = rowsByTable(entities)
    let size = entityRows.reduce(0.0) { total, transfer in
      let creation = creations[transfer.source]?.first { $0.transfer == transfer }
      let rows =
        creation.map { self.rows(of: $0.mapping.source.name) } ?? filled[transfer.destination] ?? 0
      return total + (counts.meanSizes[transfer.source] ?? 0) * Double(rows)
    }
    let bytes = Int64(size) + pairs * 40
    return MigrationPlan.Pass(
      number: number,
      name: name,
      entities: entities,
      rows: objects + pairs,
      estimatedBytes: bytes,
      estimatedSeconds: CostModel.seconds(rows: objects + pairs, bytes: bytes),
      isUpperBound: mayHaveFewerRows(entities, joinRows, linked: linked) ? true : nil,
      strategy: objects + pairs == 0
        ? .none : (entityRows + joinRows).allSatisfy(\.isPlainCopy) ? .copy : .transform,
      memory: memory.shares(of: items)
    )
  }

  /// Whether some of the counted rows may not be made; policies and collections may give more instead.
  private func mayHaveFewerRows(
    _ entities: [MigrationPlan.EntityChange],
    _ joinRows: [RowTransfer],
    linked: Int64
  ) -> Bool {
    guard entities.allSatisfy({ $0.policy == nil && $0.forEach == nil }) else { return false }
    return entities.contains { $0.isUpperBound == true } || linked > 0
      || joinRows.contains { !$0.movesAllRows && counts.rows(of: $0.source, schema) > 0 }
  }

  private func rowsByTable(_ entities: [MigrationPlan.EntityChange]) -> [String: Int64] {
    var result: [String: Int64] = [:]
    for change in entities where change.change != .removed {
      guard let entity = work.destination.model.entity(named: change.entity) else { continue }
      result[work.destination.table(of: entity).name, default: 0] += change.rows
    }
    return result
  }

  /// The pairs of join tables that follow from links; an upper bound.
  private func linkedPairs(_ links: [LinkedRelationship]) -> Int64 {
    links.reduce(0) { sum, link in
      guard case .pairs = link.storage else { return sum }
      let sources = Set(
        link.assignments.compactMap { $0.query.map { $0.steps.last?.table ?? $0.start } }
      )
      return sum + sources.reduce(0) { $0 + counts.rows(of: $1, schema) }
    }
  }
}

/// The rows of a source store, counted by entity and by join table.
struct RowCounts {
  /// The rows of every entity that has any, by the entity's number.
  private(set) var byEntity: [Int64: Int64] = [:]
  private(set) var byJoinTable: [String: Int64] = [:]
  /// The mean size of a row in bytes, by table.
  private(set) var meanSizes: [String: Double] = [:]
  /// The rows of no entity of their table, which are not counted.
  private(set) var strays: [StrayRows] = []

  /// The counts of rows that are not read.
  init() {}

  init(_ store: PersistentStore, _ schema: StoreSchema) throws(StoreError) {
    for table in schema.entityTables {
      let allowed = schema.entityNumbers(in: table)
      for (number, count) in try store.rowsByEntity(in: table.name, expecting: allowed) {
        if let number, allowed.contains(number) {
          byEntity[number] = count
        } else if strays.last?.table != table.name,
          let rows = try StrayRows(in: table.name, of: store, except: allowed)
        {
          strays.append(rows)
        }
      }
      if let found = store.schema.table(named: table.name) {
        meanSizes[table.name] = try store.meanRowSize(in: found)
      }
    }
    for table in schema.joinTables {
      byJoinTable[table.name] = try store.rows(in: table.name)
      meanSizes[table.name] = 40
    }
  }

  /// The rows of an entity table or a join table; 0 for another one.
  func rows(of table: String, _ schema: StoreSchema) -> Int64 {
    if let pairs = byJoinTable[table] { return pairs }
    guard let found = schema.entityTable(named: table) else { return 0 }
    return schema.entityNumbers(in: found).reduce(0) { $0 + (byEntity[$1] ?? 0) }
  }
}
