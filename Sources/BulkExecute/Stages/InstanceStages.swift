internal import BulkPlan
internal import BulkStore

/// The stages of a migration by a mapping model: objects are created with their attributes, then the
/// relationships are set that could not be set at once.
struct InstanceStages {
  private let work: MigrationWork
  private let writer: StoreWriter
  private let associations: AssociationTables

  init(_ work: MigrationWork, _ writer: StoreWriter, _ associations: AssociationTables) throws {
    self.work = work
    self.writer = writer
    self.associations = associations
    try writer.define(associations: { index, key in
      try associations.destinationKey(of: key, in: Int(index))
    })
  }

  /// Creates the objects of an entity mapping.
  ///
  /// - Parameters:
  ///   - creation: The creation.
  ///   - wrote: Is told of the rows of every batch.
  /// - Throws: ``StoreError`` if rows cannot be read or written, and what `wrote` throws.
  func create(_ creation: InstanceCreation, _ wrote: (Int64) throws -> Void) throws {
    let mapping = creation.mapping
    if mapping.isRecorded { try associations.begin(mapping.index) }
    let prepared = try writer.prepare(creation.transfer)
    try ranges(of: mapping) { range in
      let rows = try writer.run(prepared, range: range)
      if mapping.isRecorded { try record(range, of: mapping) }
      try wrote(rows)
    }
    if mapping.isRecorded { try associations.finish(mapping.index) }
  }

  /// Sets the relationships of an entity mapping's objects that were not known when these were made.
  func relate(_ creation: InstanceCreation, _ report: () throws -> Void) throws {
    guard !creation.relationships.isEmpty else { return }
    let mapping = creation.mapping
    let prepared = try writer.prepare(
      RowUpdate(
        of: mapping.destinationTable,
        from: mapping.sourceTable,
        creation.relationships,
        keyOffset: mapping.keyOffset,
        where: creation.transfer.conditions
      )
    )
    try ranges(of: mapping) { range in
      _ = try writer.run(prepared, range: range)
      try report()
    }
  }

  /// Writes down which source objects of a range were taken.
  private func record(_ range: ClosedRange<Int64>, of mapping: InstanceMapping) throws {
    let (first, _) = range.lowerBound.addingReportingOverflow(mapping.keyOffset)
    let (last, isBeyond) = range.upperBound.addingReportingOverflow(mapping.keyOffset)
    try writer.keys(of: mapping.destinationTable, in: first...(isBeyond ? .max : last)) { key in
      try associations.append(key - mapping.keyOffset, key)
    }
  }

  private func ranges(
    of mapping: InstanceMapping,
    _ body: (ClosedRange<Int64>) throws -> Void
  ) throws {
    let rows = try work.store.rows(in: mapping.sourceTable)
    var ranges = try writer.ranges(of: mapping.sourceTable, rows: rows)
    while let range = try ranges.nextRange() { try body(range) }
  }
}
