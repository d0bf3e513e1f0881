internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// The stages of a migration by a mapping model: objects are created with their attributes and with the
/// relationships that their source rows determine; policies set theirs when all others are set.
struct InstanceStages {
  private let session: StoreSession
  private let sink: any RowSink
  private let destination: StoreSchema
  private let associations: AssociationTables
  private let policies: PolicyStages
  private let ranges: SourceRanges
  private let recorded: Set<Int>
  private let constants: RunConstants
  private let budget: MemoryBudget
  /// The source tables with values that are streamed.
  private let streamed: Set<String>
  private let violations: ViolationReport
  private let tallies: RowTallies

  init(
    _ work: MigrationWork,
    _ session: StoreSession,
    into sink: any RowSink,
    associations: AssociationTables,
    policies: PolicyRegistry,
    plan: MigrationPlan,
    budget: MemoryBudget,
    violations: ViolationReport,
    tallies: RowTallies
  ) throws {
    self.tallies = tallies
    recorded = work.instances.recorded
    ranges = SourceRanges(work, session)
    constants = plan.constants
    self.budget = budget
    streamed = Set(plan.memory.streamedTables)
    self.violations = violations
    self.session = session
    self.sink = sink
    destination = work.destination
    self.associations = associations
    self.policies = PolicyStages(
      work,
      session,
      into: sink,
      associations: associations,
      policies: policies,
      constants: constants,
      budget: budget,
      violations: violations,
      tallies: tallies
    )
  }

  /// Restores the state of a checkpoint.
  func restore(_ checkpoint: Checkpoint) throws { try policies.restore(checkpoint) }

  /// Saves the state of policies to a checkpoint.
  func save(to checkpoint: inout Checkpoint) { policies.save(to: &checkpoint) }

  /// Makes the objects of policies whose entity mappings read nothing.
  func createWithoutSource(_ wrote: () throws -> Void) throws {
    try policies.createWithoutSource(wrote)
  }

  /// Creates the objects of an entity mapping.
  ///
  /// - Parameters:
  ///   - creation: The creation.
  ///   - wrote: Called after every batch of rows.
  /// - Throws: ``StoreError`` if rows cannot be read or written, and what `wrote` throws.
  func create(_ creation: InstanceCreation, _ wrote: () throws -> Void) throws {
    let mapping = creation.mapping
    tallies.begin(mapping.mapping.name)
    defer { tallies.end() }
    if isRecorded(mapping) { try associations.begin(mapping.index) }
    if mapping.hasPolicy {
      try policies.create(creation, wrote)
    } else if creation.isTransfer {
      try transfer(creation, wrote)
    } else {
      try evaluate(creation, wrote)
    }
    if isRecorded(mapping) { try associations.finish(mapping.index) }
    policies.finished(mapping)
  }

  /// Lets a mapping's policy set the relationships of its objects, when those that mappings describe are
  /// set.
  func relate(_ creation: InstanceCreation, _ report: () throws -> Void) throws {
    if creation.mapping.hasPolicy { try policies.relate(creation, report) }
  }

  /// Calls the hooks of policies that come before the rules of the model.
  func validate() throws { try policies.validate() }

  private func transfer(_ creation: InstanceCreation, _ wrote: () throws -> Void) throws {
    let rows = creation.transfer
    try sink.fill(by: rows, streamsLargeValues: streamed.contains(rows.source)) { sink in
      let taken =
        isRecorded(creation.mapping)
        ? try SourceRows(of: rows, values: [], streamsLargeValues: false, session) : nil
      try ranges.eachGroup(of: creation.mapping) { group in
        try session.transactions.batch {
          for range in group {
            _ = try sink.append(range)
            if let taken { try record(taken, in: range, of: creation.mapping) }
            try wrote()
          }
        }
      }
    }
  }

  private func isRecorded(_ mapping: InstanceMapping) -> Bool { recorded.contains(mapping.index) }

  /// Makes rows with values that SQL cannot compute.
  private func evaluate(_ creation: InstanceCreation, _ wrote: () throws -> Void) throws {
    let mapping = creation.mapping
    let shape = EntityRowShape(mapping.destination, in: destination)
    let streams = streamed.contains(creation.transfer.source)
    let mapped = try MappedRowReader(
      creation,
      of: shape,
      session,
      constants: constants,
      budget: budget,
      streamsLargeValues: streams,
      tallies: tallies
    ) {
      try violations.add($0)
    }
    let isRecorded = isRecorded(mapping)
    // Every object gets values for the same columns, so one row serves all.
    var row = EntityRow(shape)
    try sink.fill(shape.table, shape.columns, streamsLargeValues: streams) { rows in
      try ranges.each(of: mapping) { range in
        try session.transactions.batch {
          try mapped.rows(in: range, answer: Self.refuse) { source in
            try source.fillAttributes(of: &row)
            source.fillRelationships(of: &row, besides: [])
            row.key = source.keptKey
            try rows.append(row.values)
            if isRecorded { try associations.append(source.sourceKey, row.key) }
          }
        }
        try wrote()
      }
    }
  }

  private static func refuse(
    _ selector: String,
    _ arguments: [AttributeValue]
  ) throws -> AttributeValue {
    throw PolicyError("\(selector) is asked of a policy, but the entity mapping has none")
  }

  /// Records which source objects of a range the mapping takes.
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
