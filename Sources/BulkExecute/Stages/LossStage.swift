internal import BulkPlan
internal import BulkStore

/// Counts the losses that only made objects show, in ranges of the keys of source rows.
///
/// Each range is a transaction, so that an interrupted run goes on after the last one.
final class LossStage: StageState {
  private let run: StoreRun
  /// The numbers so far, by the order of the counts; none before the first one.
  private var numbers: [[Int64]]

  init(_ run: StoreRun, after checkpoint: Checkpoint?) {
    self.run = run
    numbers = checkpoint?.lossCounts ?? []
  }

  func save(to checkpoint: inout Checkpoint) {
    checkpoint.lossCounts = numbers.isEmpty ? nil : numbers
  }

  /// Counts what an interrupted run has not counted.
  ///
  /// There is at least one count; `prepare` is called before anything is counted.
  func losses(
    _ counts: [MadeLedger.Count],
    _ prepare: () throws -> Void
  ) throws -> [MigrationPlan.Loss] {
    let transactions = run.session.transactions
    let tables = counts.tables
    run.meter.beginCounting(scans: tables.count)
    var isPrepared = false
    if numbers.count != counts.count { numbers = counts.map { _ in [] } }
    for table in tables {
      try run.eachRange(of: table) { keys in
        if !isPrepared, !transactions.isReplaying {
          try prepare()
          isPrepared = true
        }
        try transactions.batch {
          for (index, count) in counts.enumerated() where count.table == table {
            let found = try count.numbers(keys)
            let former = numbers[index]
            numbers[index] = former.isEmpty ? found : zip(former, found).map { $0 + $1 }
          }
        }
        try run.report(.losses)
      }
    }
    var result: [MigrationPlan.Loss] = []
    for (count, numbers) in zip(counts, numbers) where !numbers.isEmpty {
      result += try count.losses(numbers)
    }
    return result.filter { $0.count > 0 }
  }
}

extension [MadeLedger.Count] {
  var tables: [String] {
    reduce(into: []) { if !$0.contains($1.table) { $0.append($1.table) } }
  }
}
