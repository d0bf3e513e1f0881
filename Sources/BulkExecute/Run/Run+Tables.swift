internal import BulkPlan
internal import BulkMapping
internal import BulkModel
internal import BulkStore

// The rows of tables that SQL alone computes, their indexes, and what a store has beside objects.

extension Run {
  /// The ranges of keys in which the source objects of entity mappings are read, in ascending order; they end with
  /// blocks where several tables are filled.
  func ranges(of table: String, endsWithBlocks: Bool = false) throws -> KeyRanges {
    let store = work.store
    let rows = try session.sample == nil ? store.rowsAmongKeys(in: table) : store.rows(in: table)
    return try KeyRanges(of: table, rows: rows, session, endsWithBlocks: endsWithBlocks)
  }

  func eachRange(of table: String, _ body: (ClosedRange<Int64>) throws -> Void) throws {
    var ranges = try ranges(of: table)
    while let range = try ranges.nextRange() {
      try body(range)
      session.position.reach(range.upperBound)
    }
  }

  /// Fills tables range by range; a group of ranges is one transaction.
  ///
  /// `appended` gets each range and the number of rows that each transfer has written.
  func fill(
    by transfers: [RowTransfer],
    in ranges: () throws -> KeyRanges,
    _ appended: (ClosedRange<Int64>, [Int64]) throws -> Void = { _, _ in }
  ) throws {
    try sink.fill(by: transfers) { append in
      var ranges = try ranges()
      while case let group = try ranges.nextRanges(), !group.isEmpty {
        try session.transactions.batch {
          for range in group {
            let rows = try append(range)
            session.position.reach(range.upperBound)
            try appended(range, rows)
            try report()
          }
        }
      }
    }
  }

  /// Throws ``MigrationError/wrongRowCount(table:expected:written:path:)`` if rows are missing.
  func write(_ transfer: RowTransfer, pass: Int?) throws {
    let rows = try work.store.rows(in: transfer.source)
    tallies.begin(transfer.destination)
    try fill(by: [transfer]) {
      try KeyRanges(of: transfer.source, rows: rows, session)
    }
    tallies.end()
    // A sample promises nothing.
    guard session.sample == nil else { return }
    let promised = promisedRows(of: transfer, in: pass)
    let written = tallies[transfer.destination].written
    let expected = promised ?? rows
    guard promised == nil && !transfer.movesAllRows || written == expected else {
      throw MigrationError.wrongRowCount(
        table: transfer.source,
        expected: expected,
        written: written,
        path: work.store.path
      )
    }
  }

  /// The rows that the plan promises for the table of a transfer; `nil` if this has no objects.
  private func promisedRows(of transfer: RowTransfer, in pass: Int?) -> Int64? {
    guard
      work.step.transfers.entityRows.contains(where: { $0.destination == transfer.destination }),
      let pass = migration.plan.passes.first(where: { $0.number == pass })
    else { return nil }
    let schema = work.step.destination
    return pass.entities.reduce(0) { sum, change in
      guard change.change != .removed, let entity = schema.model.entity(named: change.entity),
        schema.table(of: entity).name == transfer.destination
      else { return sum }
      return sum &+ change.rows
    }
  }

  // MARK: A copy of the source

  /// Counts the rows that are copied; an interrupted run has done so.
  func countCopied() throws {
    guard !isResumed, let changes else { return }
    for table in changes.tables {
      tallies.begin(table.destination)
      sink.counted.add(try work.store.rows(in: table.source))
      tallies.end()
    }
  }

  /// Runs updates over the row ids of a source table, which the rows of the copy have too.
  func update(_ source: String, by updates: [String]) throws {
    try session.run(updates, over: source, rows: try work.store.rows(in: source)) { try report() }
  }

  // MARK: Indexes and parts

  func make(_ index: SchemaIndex) throws {
    let isKnown = state.conflicts.contains(index.name)
    if try !sink.make(index, isKnownToConflict: isKnown) {
      conflicts.append(index)
      if !isKnown { state.conflicts.append(index.name) }
    }
    try report(.indexes)
  }

  /// Makes what a store has beside objects, above the highest keys of objects that were left out.
  func make(_ part: StoreDefinition.Part) throws {
    try builder.make(part, of: definition)
    switch part {
    case .table(let table): try copy(table)
    case .primaryKeys:
      let reserved = state.rejected?.highestKeys ?? [:]
      try builder.insert(work.primaryKeys(lookup, reserving: reserved))
    case .metadata:
      try removeRecords()
      try builder.insert(work.metadata, of: definition)
    default: break
    }
  }

  private func copy(_ table: FileTable) throws {
    guard let change = ancillary.first(where: { $0.table.name == table.name }) else {
      _ = try sink.copy(table)
      return
    }
    let rows = try work.store.rows(in: table.name)
    try sink.fill(by: [change.transfer]) { append in
      var ranges = try KeyRanges(of: table.name, rows: rows, session)
      while let range = try ranges.nextRange() { _ = try append(range) }
    }
    try session.run(change.revisions, over: table.name, rows: rows) {}
  }
}

extension MigrationWork {
  /// The rows of `Z_PRIMARYKEY` by number, then those of the persistent history and others that are not the model's: the
  /// numbers of entities, and the highest key that each table ever handed out, which is preserved.
  ///
  /// By `reserved` no key of a table is given that a row had which was left out.
  func primaryKeys(
    _ lookup: RowLookup,
    reserving reserved: [String: Int64] = [:]
  ) throws -> [PrimaryKeyEntry] {
    let before = try store.primaryKeys()
    let source = self.layout.schema
    return try self.destination.primaryKeyEntries(
      { table in
        guard self.made == nil else {
          return max(try lookup.highestKey(in: table.name), reserved[table.name] ?? 0)
        }
        guard let rows = self.firstRows[table.name] else { return 0 }
        let number = source.entityTable(named: rows.source)
          .map { source.numbering.number(of: $0.root) }
        let stated = before.first { $0.number == number }?.highestKey ?? 0
        return max(stated, try lookup.highestKey(amongRowsOf: rows))
      },
      // A rebuilt store has no history, and so none of its entities.
      before: self.made == nil ? before : [],
      of: self.entityCount
    )
  }
}
