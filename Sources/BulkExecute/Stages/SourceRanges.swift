internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// The ranges of keys in which the source objects of entity mappings are read.
struct SourceRanges {
  private let work: MigrationWork
  private let session: StoreSession

  init(_ work: MigrationWork, _ session: StoreSession) {
    self.work = work
    self.session = session
  }

  /// Calls a body with the ranges of a mapping's source table that are written at once, in ascending order.
  func eachGroup(
    of mapping: InstanceMapping,
    _ body: ([ClosedRange<Int64>]) throws -> Void
  ) throws {
    var ranges = try ranges(of: mapping.sourceTable)
    while true {
      let group = try ranges.nextRanges()
      if group.isEmpty { return }
      try body(group)
    }
  }

  /// Calls a body with every range of a mapping's source table, in ascending order.
  func each(of mapping: InstanceMapping, _ body: (ClosedRange<Int64>) throws -> Void) throws {
    var ranges = try ranges(of: mapping.sourceTable)
    while let range = try ranges.nextRange() { try body(range) }
  }

  private func ranges(of table: String) throws -> KeyRanges {
    try KeyRanges(of: table, rows: try work.store.rows(in: table), session)
  }
}
