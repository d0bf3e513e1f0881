internal import BulkCoding
internal import BulkExecute
internal import BulkLowering
internal import BulkMapping
internal import BulkPlan
internal import BulkStore

/// Reads the source for faults that no rule of the destination covers.
struct Survey {
  private let preflight: Preflight
  private let work: MigrationWork
  let reader: SourceSurvey
  private let rounded: [RoundedColumn]

  /// - Throws: ``StoreError`` if the source cannot be read.
  init(_ preflight: Preflight, _ work: MigrationWork) throws(StoreError) {
    self.preflight = preflight
    self.work = work
    rounded = RoundedColumn.all(of: work)
    reader = try SourceSurvey(
      work.store,
      work.layout.schema,
      sample: preflight.keys,
      isStopped: { preflight.stopRequest() != nil }
    )
  }

  /// The bytes of values that each leg and those before it make, beyond those of the rows that they are made of; of the
  /// later legs they are estimates, see ``ValueSizes``.
  ///
  /// - Returns: The bytes, below 0 where policies make less.
  /// - Throws: ``StoreError`` if the source cannot be read, ``PlanError`` if a later leg cannot.
  func bytesMade(_ found: Rehearsed) throws -> [Int64] {
    let first = try bytesMadeFirst(found)
    guard let route = preflight.plan.route else { return [first] }
    var sizes = try ValueSizes(after: work, reader)
    return try sizes.growth(along: route, of: preflight.plan).map { $0 + first }
  }

  private func bytesMadeFirst(_ found: Rehearsed) throws(StoreError) -> Int64 {
    if let bytes = found.storeBytes {
      return Int64(Double(bytes) / (preflight.sample ?? 1)) - preflight.plan.estimatedSize.bytes
    }
    var bytes = try bytesBeyond(found.evaluated)
    for transfer in work.transfers.entityRows + work.instances.creations.map(\.transfer) {
      bytes += try reader.bytesMade(by: transfer)
    }
    return bytes
  }

  private func bytesBeyond(_ evaluated: SeenRows) throws(StoreError) -> Int64 {
    var rows: Int64 = 0
    var known = 0.0
    let changes = preflight.plan.passes.flatMap(\.entities)
    for creation in work.instances.creations where !creation.evaluations.isEmpty {
      guard let table = work.store.schema.table(named: creation.mapping.sourceTable) else {
        continue
      }
      let count = changes.first { $0.mapping == creation.mapping.mapping.name }?.rows ?? 0
      rows += count
      known += Double(count) * (try work.store.meanRowSize(in: table))
    }
    guard evaluated.rows > 0, rows > 0 else { return 0 }
    let share = preflight.sample == nil ? 1 : Double(rows) / Double(evaluated.rows)
    return max(0, Int64(Double(evaluated.bytes) * max(1, share) - known))
  }

  /// Reads everything, and adds the findings.
  ///
  /// - Throws: ``StoreError`` if the source cannot be read, and ``MigrationError/cancelled``.
  func read(into result: inout PreflightReport) throws {
    var found = SurveyFindings(keepsLinks: work.made == nil)
    var rows: Int64 = 0
    for table in work.layout.schema.entityTables {
      result.rowsTotal += try work.store.rows(in: table.name)
    }
    let total = result.rowsTotal
    let tell = { (read: Int64) throws in
      rows += read
      preflight.report(PreflightProgress(stage: .surveying, rowsDone: rows, rowsTotal: total))
      try preflight.stopIfRequested()
    }
    let dropped = Set(preflight.plan.losses.filter { $0.cause == .removed }.map(\.place))
    try reader.run(tell) { fault in
      // Nobody misses the file of a value that is dropped.
      let places = ["\(fault.property)", fault.entity]
      if fault.fault == .hasNoFile, places.contains(where: dropped.contains) { return }
      found.add(fault)
    }
    for column in rounded {
      try reader.eachNumber(in: column.source, tell) { key, number in
        if let text = column.rounded(number) { found.addRounded(column, key, text) }
      }
    }
    result.rowsRead = rows
    result.findings += found.findings
  }
}
