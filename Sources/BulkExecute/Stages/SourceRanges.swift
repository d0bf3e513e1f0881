internal import BulkLowering
internal import BulkStore

/// The ranges of keys in which the source objects of entity mappings are read.
struct SourceRanges {
  let work: MigrationWork
  let session: StoreSession

  /// Calls a body with the ranges of a mapping's source table that are written at once, in ascending order.
  ///
  /// The ranges end with blocks where several tables are filled.
  func eachGroup(
    of mapping: InstanceMapping,
    endsWithBlocks: Bool = false,
    _ body: ([ClosedRange<Int64>]) throws -> Void
  ) throws {
    var ranges = try ranges(of: mapping.sourceTable, endsWithBlocks: endsWithBlocks)
    while true {
      let group = try ranges.nextRanges()
      if group.isEmpty { return }
      try body(group)
    }
  }

  /// In ascending order.
  func each(in table: String, _ body: (ClosedRange<Int64>) throws -> Void) throws {
    var ranges = try ranges(of: table)
    while let range = try ranges.nextRange() {
      try body(range)
      session.position.reach(range.upperBound)
    }
  }

  /// Whether the ranges of a table hold few keys without a row.
  func areDense(in table: String) throws -> Bool { try ranges(of: table).isDense }

  private func ranges(of table: String, endsWithBlocks: Bool = false) throws -> KeyRanges {
    let store = work.store
    let rows = try session.sample == nil ? store.rowsAmongKeys(in: table) : store.rows(in: table)
    return try KeyRanges(of: table, rows: rows, session, endsWithBlocks: endsWithBlocks)
  }
}
