internal import BulkAssociation
internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Finds which source objects become one object, before any of their objects is made.
///
/// The values by which objects are found are read for every source object and sorted; of those that agree
/// one is kept. Sorted back, all of them are associated with the object that will be made of it. Nothing
/// is kept of an interrupted search: the association tables are saved when they are complete.
struct GroupingStage {
  private let session: StoreSession
  private let destination: StoreSchema
  private let associations: AssociationTables
  private let ranges: SourceRanges
  private let constants: RunConstants
  private let budget: MemoryBudget
  private let violations: ViolationReport
  private let tallies: RowTallies

  init(
    _ work: MigrationWork,
    _ session: StoreSession,
    associations: AssociationTables,
    constants: RunConstants,
    budget: MemoryBudget,
    violations: ViolationReport,
    tallies: RowTallies
  ) {
    self.session = session
    destination = work.destination
    self.associations = associations
    ranges = SourceRanges(work, session)
    self.constants = constants
    self.budget = budget
    self.violations = violations
    self.tallies = tallies
  }

  /// Associates the source objects of entity mappings that share their objects.
  ///
  /// - Parameters:
  ///   - creations: The creations of these mappings, in the order in which they run.
  ///   - report: Called regularly meanwhile.
  /// - Throws: ``StoreError`` if the source cannot be read, and what `report` throws.
  func group(_ creations: [InstanceCreation], _ report: () throws -> Void) throws {
    guard let grouping = creations.first?.grouping else { return }
    let groups = ObjectGroups(
      keeping: grouping.kept,
      isNilDistinct: grouping.isNilDistinct,
      in: associations.scratch()
    )
    for creation in creations {
      groups.begin(offset: creation.mapping.keyOffset)
      tallies.begin(creation.mapping.mapping.name)
      try add(creation, to: groups, report)
      tallies.end()
    }
    let members = try groups.members()
    var next = try members.next()
    for (place, creation) in creations.enumerated() {
      let index = creation.mapping.index
      var merged: Int64 = 0
      try associations.begin(index)
      while let member = next, member.mapping == place {
        try associations.append(member.sourceKey, member.object)
        if !member.isKept { merged += 1 }
        next = try members.next()
      }
      try associations.finish(index)
      tallies.begin(creation.mapping.mapping.name)
      tallies.note { $0.merged = merged }
      tallies.end()
      try report()
    }
  }

  /// Adds the source objects of an entity mapping with their values.
  private func add(
    _ creation: InstanceCreation,
    to groups: ObjectGroups,
    _ report: () throws -> Void
  ) throws {
    guard let grouping = creation.grouping, let values = creation.ofGroupedValues else { return }
    if values.isTransfer {
      try addTransferred(values, grouping.columns, to: groups, report)
    } else {
      try addEvaluated(values, grouping.columns, to: groups, report)
    }
  }

  /// Adds source objects whose values SQL computes.
  private func addTransferred(
    _ creation: InstanceCreation,
    _ columns: [String],
    to groups: ObjectGroups,
    _ report: () throws -> Void
  ) throws {
    let rows = try SourceRows(
      of: creation.transfer,
      values: columns.map { creation.transfer.value(of: $0) },
      streamsLargeValues: false,
      session
    )
    try ranges.each(of: creation.mapping) { range in
      try rows.start(range)
      while let row = try rows.next() {
        try groups.add(row.key, ValueDigest(of: row.values))
      }
      try report()
    }
  }

  /// Adds source objects some of whose values are evaluated.
  private func addEvaluated(
    _ creation: InstanceCreation,
    _ columns: [String],
    to groups: ObjectGroups,
    _ report: () throws -> Void
  ) throws {
    let shape = EntityRowShape(creation.mapping.destination, in: destination)
    let places = columns.compactMap { shape.columns.firstIndex(of: $0) }
    let mapped = try MappedRowReader(
      creation,
      of: shape,
      session,
      constants: constants,
      budget: budget,
      streamsLargeValues: false,
      tallies: tallies
    ) {
      try violations.add($0)
    }
    var row = EntityRow(shape)
    try ranges.each(of: creation.mapping) { range in
      try mapped.rows(in: range, answer: EvaluatedPage.refuse) { source in
        try source.fillAttributes(of: &row)
        try groups.add(source.sourceKey, ValueDigest(of: places.map { row.values[$0] }))
      }
      try report()
    }
  }
}
