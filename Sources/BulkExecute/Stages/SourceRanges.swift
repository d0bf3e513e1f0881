internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// The ranges of keys in which the source objects of entity mappings are read.
struct SourceRanges {
  private let work: MigrationWork
  private let writer: StoreWriter

  init(_ work: MigrationWork, _ writer: StoreWriter) {
    self.work = work
    self.writer = writer
  }

  /// Calls a body for the ranges of a mapping's source table that are written at once, in ascending
  /// order.
  func eachGroup(
    of mapping: InstanceMapping,
    _ body: ([ClosedRange<Int64>]) throws -> Void
  ) throws {
    let rows = try work.store.rows(in: mapping.sourceTable)
    var ranges = try writer.ranges(of: mapping.sourceTable, rows: rows)
    while true {
      let group = try ranges.nextRanges()
      if group.isEmpty { return }
      try body(group)
    }
  }

  /// Calls a body for every range of a mapping's source table, in ascending order.
  func each(of mapping: InstanceMapping, _ body: (ClosedRange<Int64>) throws -> Void) throws {
    let rows = try work.store.rows(in: mapping.sourceTable)
    var ranges = try writer.ranges(of: mapping.sourceTable, rows: rows)
    while let range = try ranges.nextRange() { try body(range) }
  }
}
