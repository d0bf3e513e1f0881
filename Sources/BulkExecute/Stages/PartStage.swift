internal import BulkLowering
internal import BulkStore

/// Makes what a store has beside objects.
struct PartStage {
  private let run: StoreRun
  private let builder: StoreBuilder
  private let changes: [String: AncillaryChange]

  init(_ run: StoreRun) throws {
    self.run = run
    builder = StoreBuilder(run.session)
    let all = try run.work.ancillaryChanges()
    changes = Dictionary(all.map { ($0.table.name, $0) }) { first, _ in first }
  }

  /// Makes a part above the highest keys of objects that were left out, by table.
  func make(_ part: StoreDefinition.Part, reserving keys: [String: Int64]) throws {
    try builder.make(part, of: run.definition)
    switch part {
    case .table(let table): try copy(table)
    case .primaryKeys:
      try builder.insert(PrimaryKeys(run.work, run.session, reserving: keys).entries())
    case .metadata: try builder.insert(run.work.metadata, of: run.definition)
    default: break
    }
  }

  private func copy(_ table: FileTable) throws {
    guard let change = changes[table.name] else {
      _ = try run.sink.copy(table)
      return
    }
    let (session, rows) = (run.session, try run.work.store.rows(in: table.name))
    try run.sink.fill(by: [change.transfer]) { append in
      var ranges = try KeyRanges(of: table.name, rows: rows, session)
      while let range = try ranges.nextRange() { _ = try append(range) }
    }
    try session.run(change.revisions, over: table.name, rows: rows) {}
  }
}
