internal import BulkLowering
package import BulkMapping
package import BulkPlan
package import BulkStore

/// The stages of a migration by a mapping model: objects are created with their attributes and with the
/// relationships that their source rows determine; policies set theirs when all others are set.
struct InstanceStages {
  private let run: StoreRun
  private let session: StoreSession
  private let destination: StoreSchema
  private let associations: AssociationTables
  let policies: PolicyStages
  private let grouping: GroupingStage
  private let creations: [InstanceCreation]
  private let newKeys: NewKeys
  private let recorded: Set<Int>
  let links: RowLinks

  init(_ run: StoreRun, _ report: @escaping () throws -> Void) throws {
    let work = run.work
    let registry = run.migration.policies
    try registry.refuseMissingTransformers(of: work.mapping)
    (self.run, session, associations) = (run, run.session, run.associations)
    destination = work.destination
    recorded = work.instances.recorded
    creations = work.instances.creations
    links = RowLinks(
      work.instances.links,
      associations,
      following: RowLinkTables(run, report)
    )
    try session.find(links)
    newKeys = NewKeys(after: work.instances.highestKeys)
    grouping = GroupingStage(run: run, newKeys: newKeys)
    policies = PolicyStages(run, newKeys)
  }

  /// The entity mappings, each once, in the order in which their objects are created.
  ///
  /// Mappings that read the same table are grouped where only their rows depend on it.
  func scans(of creations: [InstanceCreation]) throws -> [[InstanceCreation]] {
    var result: [[InstanceCreation]] = []
    var places: [String: Int] = [:]
    for creation in creations {
      let table = creation.transfer.source
      guard try canShareScan(creation) else {
        result.append([creation])
        continue
      }
      if let place = places[table] {
        result[place].append(creation)
      } else {
        places[table] = result.count
        result.append([creation])
      }
    }
    return result
  }

  private func canShareScan(_ creation: InstanceCreation) throws -> Bool {
    let mapping = creation.mapping
    return try creation.isTransfer && !mapping.hasPolicy && !mapping.isDividing
      && !mapping.isMerging
      && !isRecorded(mapping) && links.makers(for: mapping).isEmpty
      && !session.streamed.contains(creation.transfer.source)
      && run.sink.canFillTogether(by: creation.transfer)
      // Across a wide gap there would be more blocks than rows.
      && run.ranges(of: creation.transfer.source).isDense
  }

  /// How often the source table is read for one of ``scans(of:)``, to find objects and to make them.
  func readings(of scan: [InstanceCreation]) -> Int {
    guard scan.count == 1, let mapping = scan.first?.mapping else { return 1 }
    let shared = creations.filter { $0.mapping.shares(with: mapping) }
    let groups = mapping.isMerging && shared.first?.mapping.index == mapping.index
    return 1 + (groups ? shared.count : 0) + links.makers(for: mapping).count
  }

  /// The mappings are one of ``scans(of:)``.
  func create(_ scan: [InstanceCreation], _ wrote: () throws -> Void) throws {
    guard scan.count > 1 else { return try create(scan[0], wrote) }
    try run.fill(by: scan.map(\.transfer)) {
      try run.ranges(of: scan[0].mapping.sourceTable, endsWithBlocks: true)
    } _: { _, appended in
      for (creation, rows) in zip(scan, appended) {
        run.tallies.add(rows, to: creation.mapping.mapping.name)
      }
      try wrote()
    }
  }

  func create(_ creation: InstanceCreation, _ wrote: () throws -> Void) throws {
    let mapping = creation.mapping
    if mapping.isMerging { try group(creation, wrote) }
    for maker in links.makers(for: mapping) { try identify(maker, wrote) }
    run.tallies.begin(mapping.mapping.name)
    defer { run.tallies.end() }
    if isRecorded(mapping) { try associations.begin(mapping.index) }
    defer { links.end() }
    try links.begin(mapping)
    do {
      try makeObjects(of: creation, wrote)
    } catch {
      throw links.failure ?? error
    }
    if isRecorded(mapping) { try associations.finish(mapping.index) }
    policies.finished(mapping)
  }

  private func makeObjects(of creation: InstanceCreation, _ wrote: () throws -> Void) throws {
    let mapping = creation.mapping
    if mapping.hasPolicy {
      try policies.create(creation, wrote)
    } else if mapping.isDividing {
      try divide(creation, wrote)
    } else if mapping.isMerging, creation.isTransfer {
      try transferKept(creation, wrote)
    } else if creation.isTransfer {
      try transfer(creation, wrote)
    } else {
      try evaluate(creation, wrote)
    }
  }

  /// Finds the keys of a mapping's objects, unless they are known, before their rows are written.
  func identify(_ mapping: InstanceMapping, _ wrote: () throws -> Void) throws {
    guard let creation = creations.first(where: { $0.mapping.index == mapping.index }) else {
      return
    }
    if mapping.isMerging {
      let first = creations.first { $0.mapping.shares(with: mapping) } ?? creation
      // Its transaction comes even if an interrupted run has found the groups.
      if links.isFirstTime(first.mapping) { try group(first, wrote) }
      return
    }
    guard !associations.isFinished(mapping.index) else { return }
    try associations.begin(mapping.index)
    let record =
      creation.filter == nil ? try recordOfTransferred(creation) : try recordOfFiltered(creation)
    try run.eachRange(of: mapping.sourceTable) { range in
      try record(range)
      try wrote()
    }
    try associations.finish(mapping.index)
  }

  private func recordOfTransferred(
    _ creation: InstanceCreation
  ) throws -> (ClosedRange<Int64>) throws -> Void {
    let taken = try takenRows(creation)
    return { range in try record(taken, in: range, of: creation.mapping) }
  }

  /// Records the source objects of a range that an evaluated filter takes; what fails is reported when their rows are
  /// made.
  private func recordOfFiltered(
    _ creation: InstanceCreation
  ) throws -> (ClosedRange<Int64>) throws -> Void {
    let transfer = creation.transfer
    let records = try KeySelection(from: transfer.source, where: transfer.conditions, in: session) {
      creation.filterOfRecords(by: $0, in: run.work.layout.schema)
    }
    let shape = EntityRowShape(creation.mapping.destination, in: destination)
    let evaluated = try MappedRowReader(creation, of: shape, in: run)
    func record(_ key: Int64) throws {
      try associations.append(key, key + creation.mapping.keyOffset)
    }
    return { range in
      let left = records == nil ? range : try records?.read(range, record)
      if let left { try evaluated.taken(in: left, record) }
    }
  }

  /// Finds which source objects become one object, before the first entity mapping that shares them.
  private func group(_ creation: InstanceCreation, _ wrote: () throws -> Void) throws {
    let shared = creations.filter { $0.mapping.shares(with: creation.mapping) }
    guard shared.first?.mapping.index == creation.mapping.index else { return }
    if !shared.allSatisfy({ associations.isFinished($0.mapping.index) }) {
      try grouping.group(shared, wrote)
    }
    // Its checkpoint saves the groups.
    try session.transactions.batch {}
  }

  private func transferKept(_ creation: InstanceCreation, _ wrote: () throws -> Void) throws {
    // Kept objects satisfy all conditions.
    let rows = creation.transfer.withoutConditions
    let (index, offset) = (creation.mapping.index, creation.mapping.keyOffset)
    guard let kept = try associations.keys(of: index, at: offset) else { return }
    let batchRows = session.transactions.batchRows
    session.position.begin(creation.mapping.sourceKeys)
    try run.sink.fill(by: [rows]) { append in
      while case let batch = try kept.nextRanges(batchRows), !batch.isEmpty {
        try session.transactions.batch {
          for range in batch {
            _ = try append(range)
            session.position.reach(range.upperBound)
          }
          try wrote()
        }
      }
    }
  }

  private func transfer(_ creation: InstanceCreation, _ wrote: () throws -> Void) throws {
    let (rows, mapping) = (creation.transfer, creation.mapping)
    let taken =
      isRecorded(mapping) && !associations.isFinished(mapping.index)
      ? try takenRows(creation) : nil
    try run.fill(by: [rows]) {
      try run.ranges(of: mapping.sourceTable)
    } _: { range, _ in
      if let taken { try record(taken, in: range, of: mapping) }
      try wrote()
    }
  }

  private func isRecorded(_ mapping: InstanceMapping) -> Bool { recorded.contains(mapping.index) }

  private func evaluate(_ creation: InstanceCreation, _ wrote: () throws -> Void) throws {
    let mapping = creation.mapping
    let shape = EntityRowShape(mapping.destination, in: destination)
    let mapped = try MappedRowReader(
      creation,
      of: shape,
      in: run,
      streamsLargeValues: session.streamed.contains(creation.transfer.source),
      keeping: mapping.isMerging
        ? try associations.keys(of: mapping.index, at: mapping.keyOffset) : nil
    )
    let isRecorded =
      isRecorded(mapping) && !mapping.isMerging && !associations.isFinished(mapping.index)
    try run.sink.fill(shape.table, shape.columns) { rows in
      let writer = try EvaluatedRowWriter(
        creation,
        mapped,
        of: shape,
        in: run.work.layout.schema,
        into: rows
      )
      var ranges = try run.ranges(of: mapping.sourceTable)
      while case let group = try ranges.nextRanges(), !group.isEmpty {
        for part in writer.makesRows ? [group] : group.map({ [$0] }) {
          try session.transactions.batch {
            for range in part {
              try writer.write(range, isRecorded ? associations.append : nil)
              session.position.reach(range.upperBound)
              try wrote()
            }
          }
        }
      }
    }
  }

  private func divide(_ creation: InstanceCreation, _ wrote: () throws -> Void) throws {
    let mapping = creation.mapping
    let shape = EntityRowShape(mapping.destination, in: destination)
    let kept = mapping.isMerging ? try associations.elements(of: mapping.index) : nil
    let reader = try MappedRowReader(creation, of: shape, in: run)
    var row = EntityRow(shape)
    try run.sink.fill(shape.table, shape.columns) { rows in
      try run.eachRange(of: mapping.sourceTable) { range in
        try session.transactions.batch {
          try reader.elements(in: range, among: kept) { element, object in
            try element.fillAttributes(of: &row)
            guard let key = object ?? newKeys.take(in: shape.table) else {
              throw MigrationError.constraint("no keys are left in table \(shape.table)")
            }
            row.key = key
            try rows.append(row.values)
            if kept == nil { try associations.append(element.sourceKey, key) }
          }
        }
        try wrote()
      }
    }
  }

  /// Without values.
  private func takenRows(_ creation: InstanceCreation) throws -> SourceRows {
    try SourceRows(of: creation.transfer, values: [], session)
  }

  private func record(
    _ taken: SourceRows,
    in range: ClosedRange<Int64>,
    of mapping: InstanceMapping
  ) throws {
    try taken.start(range)
    while let row = try taken.next() {
      try associations.append(row.key, row.key + mapping.keyOffset)
    }
  }
}

extension MigrationPlan {
  /// The value of `now()`, in seconds since 2001-01-01 00:00:00 UTC.
  var valueOfNow: Double { now ?? 0 }

  /// The values that are the same for expressions in every row, however often the run is interrupted.
  package func constants(
    _ transformers: TransformerRegistry,
    reading store: StoreMetadata
  ) -> RunConstants {
    RunConstants(
      now: valueOfNow,
      // Two stores, whose objects have the same keys, must not have the same UUIDs.
      randomSeed: UInt64(source.identity.prefix(16), radix: 16) ?? 1,
      storeUUID: store.uuid,
      transformers: transformers
    )
  }
}
