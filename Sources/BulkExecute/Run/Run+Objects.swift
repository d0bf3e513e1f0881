package import BulkPlan
package import BulkMapping
package import BulkStore

// The objects of a migration by a mapping model: they are created with their attributes and with the relationships that
// their source rows determine; policies set theirs when all others are set.

extension Run {
  private var creations: [InstanceCreation] { work.instances.creations }

  /// The entity mappings, each once, in the order in which their objects are created.
  ///
  /// Mappings that read the same table are grouped where only their rows depend on it.
  func scans(of creations: [InstanceCreation]) throws -> [[InstanceCreation]] {
    var result: [[InstanceCreation]] = []
    var indexes: [String: Int] = [:]
    for creation in creations {
      let table = creation.transfer.source
      guard try canShareScan(creation) else {
        result.append([creation])
        continue
      }
      if let index = indexes[table] {
        result[index].append(creation)
      } else {
        indexes[table] = result.count
        result.append([creation])
      }
    }
    return result
  }

  private func canShareScan(_ creation: InstanceCreation) throws -> Bool {
    let mapping = creation.mapping
    return try creation.isTransfer && !mapping.hasPolicy && !mapping.isDividing
      && !mapping.isMerging
      && !isRecorded(mapping) && rowLinks.makers(for: mapping).isEmpty
      && !session.streamed.contains(creation.transfer.source)
      && sink.canFillTogether(by: creation.transfer)
      // Across a wide gap there would be more blocks than rows.
      && ranges(of: creation.transfer.source).isDense
  }

  /// How often the source table is read for one of ``scans(of:)``, to find objects and to make them.
  func readings(of scan: [InstanceCreation]) -> Int {
    guard scan.count == 1, let mapping = scan.first?.mapping else { return 1 }
    let shared = creations.filter { $0.mapping.shares(with: mapping) }
    let groups = mapping.isMerging && shared.first?.mapping.index == mapping.index
    return 1 + (groups ? shared.count : 0) + rowLinks.makers(for: mapping).count
  }

  /// The mappings are one of ``scans(of:)``.
  func create(_ scan: [InstanceCreation]) throws {
    guard scan.count > 1 else { return try create(scan[0]) }
    try fill(by: scan.map(\.transfer)) {
      try ranges(of: scan[0].mapping.sourceTable, endsWithBlocks: true)
    } _: { _, appended in
      for (creation, rows) in zip(scan, appended) {
        tallies.add(rows, to: creation.mapping.mapping.name)
      }
    }
  }

  func create(_ creation: InstanceCreation) throws {
    let mapping = creation.mapping
    if mapping.isMerging { try group(creation) }
    for maker in rowLinks.makers(for: mapping) { try identify(maker) }
    tallies.begin(mapping.mapping.name)
    defer { tallies.end() }
    if isRecorded(mapping) { try associations.begin(mapping.index) }
    defer { rowLinks.end() }
    try rowLinks.begin(mapping)
    do {
      try makeObjects(of: creation)
    } catch {
      throw rowLinks.failure ?? error
    }
    if isRecorded(mapping) { try associations.finish(mapping.index) }
    manager.finished.insert(mapping.index)
  }

  private func makeObjects(of creation: InstanceCreation) throws {
    let mapping = creation.mapping
    if mapping.hasPolicy {
      try createByPolicy(creation)
    } else if mapping.isDividing {
      try divide(creation)
    } else if mapping.isMerging, creation.isTransfer {
      try transferKept(creation)
    } else if creation.isTransfer {
      try transfer(creation)
    } else {
      try evaluate(creation)
    }
  }

  /// Finds the keys of a mapping's objects, unless they are known, before their rows are written.
  func identify(_ mapping: InstanceMapping) throws {
    guard let creation = creations.first(where: { $0.mapping.index == mapping.index }) else {
      return
    }
    if mapping.isMerging {
      let first = creations.first { $0.mapping.shares(with: mapping) } ?? creation
      // Its transaction comes even if an interrupted run has found the groups.
      if rowLinks.isFirstTime(first.mapping) { try group(first) }
      return
    }
    guard !associations.isFinished(mapping.index) else { return }
    try associations.begin(mapping.index)
    let forEachTakenKey = try takenKeys(creation)
    try eachRange(of: mapping.sourceTable) { range in
      try forEachTakenKey(range) { try associations.append($0, $0 + mapping.keyOffset) }
      try report()
    }
    try associations.finish(mapping.index)
  }

  /// Reads the source keys of a range from which objects are made, in ascending order; nothing is counted, and what
  /// fails is reported when their rows are made.
  func takenKeys(
    _ creation: InstanceCreation
  ) throws -> (_ range: ClosedRange<Int64>, _ body: (Int64) throws -> Void) throws -> Void {
    let transfer = creation.transfer
    guard creation.filter != nil else {
      let rows = try SourceRows(of: transfer, values: [], session)
      return { range, body in
        try rows.start(range)
        while let row = try rows.next() { try body(row.key) }
      }
    }
    let records = try session.keys(of: transfer.source, where: transfer.conditions) {
      creation.filterOfRecords(by: $0, in: work.layout.schema)
    }
    let evaluated = try rowReader(creation)
    return { range, body in
      let left = records == nil ? range : try records?(range, body)
      if let left { try evaluated.forEachTakenKey(in: left, body) }
    }
  }

  /// Finds which source objects become one object, before the first entity mapping that shares them.
  private func group(_ creation: InstanceCreation) throws {
    let shared = creations.filter { $0.mapping.shares(with: creation.mapping) }
    guard shared.first?.mapping.index == creation.mapping.index else { return }
    if !shared.allSatisfy({ associations.isFinished($0.mapping.index) }) {
      try findGroups(shared)
    }
    // Its checkpoint saves the groups.
    try session.transactions.batch {}
  }

  private func transferKept(_ creation: InstanceCreation) throws {
    // Kept objects satisfy all conditions.
    let rows = creation.transfer.withoutConditions
    let (index, offset) = (creation.mapping.index, creation.mapping.keyOffset)
    guard let kept = try associations.keys(of: index, at: offset) else { return }
    let batchRows = session.transactions.batchRows
    session.position.begin(creation.mapping.sourceKeys)
    try sink.fill(by: [rows]) { append in
      while case let batch = try kept.nextRanges(batchRows), !batch.isEmpty {
        try session.transactions.batch {
          for range in batch {
            _ = try append(range)
            session.position.reach(range.upperBound)
          }
          try report()
        }
      }
    }
  }

  private func transfer(_ creation: InstanceCreation) throws {
    let (rows, mapping) = (creation.transfer, creation.mapping)
    let taken =
      isRecorded(mapping) && !associations.isFinished(mapping.index)
      ? try takenKeys(creation) : nil
    try fill(by: [rows]) {
      try ranges(of: mapping.sourceTable)
    } _: { range, _ in
      try taken?(range) { try associations.append($0, $0 + mapping.keyOffset) }
    }
  }

  private func isRecorded(_ mapping: InstanceMapping) -> Bool {
    work.instances.recorded.contains(mapping.index)
  }

  func rowReader(
    _ creation: InstanceCreation,
    streamsLargeValues: Bool = false,
    keeping kept: KeptKeys? = nil,
    answer: @escaping EvaluatedPage.PolicyAnswer = EvaluatedPage.refuse
  ) throws -> MappedRowReader {
    try MappedRowReader(
      creation,
      of: EntityRowShape(creation.mapping.destination, in: work.destination),
      in: objects,
      streamsLargeValues: streamsLargeValues,
      keeping: kept,
      counting: tallies,
      reporting: violations,
      answer: answer
    )
  }

  private func evaluate(_ creation: InstanceCreation) throws {
    let mapping = creation.mapping
    let shape = EntityRowShape(mapping.destination, in: work.destination)
    let mapped = try rowReader(
      creation,
      streamsLargeValues: session.streamed.contains(creation.transfer.source),
      keeping: mapping.isMerging
        ? try associations.keys(of: mapping.index, at: mapping.keyOffset) : nil
    )
    let isRecorded =
      isRecorded(mapping) && !mapping.isMerging && !associations.isFinished(mapping.index)
    try sink.fill(shape.table, shape.columns) { rows in
      let writer = try EvaluatedRowWriter(
        creation,
        mapped,
        of: shape,
        in: work.layout.schema,
        into: rows
      )
      var ranges = try ranges(of: mapping.sourceTable)
      while case let group = try ranges.nextRanges(), !group.isEmpty {
        for part in writer.makesRows ? [group] : group.map({ [$0] }) {
          try session.transactions.batch {
            for range in part {
              try writer.write(range, isRecorded ? associations.append : nil)
              session.position.reach(range.upperBound)
              try report()
            }
          }
        }
      }
    }
  }

  private func divide(_ creation: InstanceCreation) throws {
    let mapping = creation.mapping
    let shape = EntityRowShape(mapping.destination, in: work.destination)
    let kept = mapping.isMerging ? try associations.elements(of: mapping.index) : nil
    let reader = try rowReader(creation)
    var row = EntityRow(shape)
    try sink.fill(shape.table, shape.columns) { rows in
      try eachRange(of: mapping.sourceTable) { range in
        try session.transactions.batch {
          try reader.elements(in: range, among: kept) { element, object in
            try element.fillAttributes(of: &row)
            guard let key = object ?? newKeys(in: shape.table) else {
              throw MigrationError.constraint("no keys are left in table \(shape.table)")
            }
            row.key = key
            try rows.append(row.values)
            if kept == nil { try associations.append(element.sourceKey, key) }
          }
        }
        try report()
      }
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
