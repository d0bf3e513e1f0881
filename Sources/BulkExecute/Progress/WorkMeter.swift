internal import BulkPlan
internal import BulkStore

/// How much of a run's work is done.
///
/// The items of the work list have weights, and of the running one counts what its scans have behind them.
final class WorkMeter {
  private let store: PersistentStore
  private let position: ScanPosition
  /// The share that all items together have of the run's work; the rest is that of files.
  private let part: Double
  private var weights = WorkWeights()
  private var total = 0.0
  /// The weight of the tables in which losses are counted when all else is done.
  private var counting = 0.0
  private var (done, running) = (0.0, 0.0)
  private var (scans, scansBefore) = (1, 0)
  private var greatest = 0.0
  private var reported: MigrationProgress?

  /// The growth of the share after which a report is repeated.
  private static let step = 0.005

  init(reading store: PersistentStore, _ position: ScanPosition, part: Double) {
    (self.store, self.position, self.part) = (store, position, part)
  }

  /// All work that will be done: the items, and the counts of losses in some tables.
  func expect(_ entries: [WorkList.Entry], countingIn tables: [String]) throws {
    weights = try WorkWeights(entries, reading: store)
    counting = try tables.reduce(0) { try $0 + WorkWeights.rows(of: $1, in: store) }
    total = entries.reduce(counting) { $0 + weights.weight(of: $1.item) }
  }

  /// Begins items after those that were begun before; they read their source `scans` times, at least once.
  func begin(_ items: [WorkItem], scans: Int = 1) {
    begin(items.reduce(0) { $0 + weights.weight(of: $1) }, scans)
  }

  /// At least one scan.
  func beginCounting(scans: Int) { begin(counting, scans) }

  private func begin(_ weight: Double, _ scans: Int) {
    done += running
    running = weight
    (self.scans, scansBefore) = (scans, position.scans)
  }

  /// The share of the work that is done, from 0 to 1; it never falls.
  var share: Double {
    guard total > 0 else { return 0 }
    let begun = min(position.scans - scansBefore, scans)
    let share = begun > 0 ? (Double(begun - 1) + position.share) / Double(scans) : 0
    greatest = max(greatest, min((done + running * share) / total, 1))
    return greatest
  }

  func complete(_ progress: MigrationProgress) -> MigrationProgress {
    var progress = progress
    progress.share = share * part
    reported = progress
    return progress
  }

  /// If the share has grown since, as within a long statement; `nil` otherwise.
  func repeated() -> MigrationProgress? {
    guard let reported, share * part - (reported.share ?? 0) >= Self.step else { return nil }
    return complete(reported)
  }
}

/// The weights of the items of a work list, in copied rows.
///
/// The factors are rough: they divide the work, and promise no time.
private struct WorkWeights {
  private var sources: [String: Double] = [:]
  private var destinations: [String: Double] = [:]
  private var bytes = 0.0

  init() {}

  init(_ entries: [WorkList.Entry], reading store: PersistentStore) throws {
    bytes = Double(store.size)
    for case (let source, let destination)? in entries.map(\.item.tables) {
      if sources[source] == nil {
        sources[source] = try Self.rows(of: source, in: store)
      }
      destinations[destination, default: 0] += sources[source] ?? 0
    }
  }

  /// A rough number.
  static func rows(of table: String, in store: PersistentStore) throws -> Double {
    let keys = try store.keys(in: table)
    let span = keys.map { Double($0.upperBound) - Double($0.lowerBound) + 1 } ?? 0
    // Keys may have gaps, and a row has at least eight bytes.
    return min(span, Double(store.size) / 8)
  }

  func weight(of item: WorkItem) -> Double {
    func written(_ table: String) -> Double { destinations[table] ?? 0 }
    switch item {
    case .copy: return bytes / 500
    case .update(let change): return sources[change.source] ?? 0
    case .rows(let transfer), .pairs(let transfer): return sources[transfer.source] ?? 0
    case .objects(let creation):
      let mapping = creation.mapping
      let factor: Double =
        mapping.hasPolicy ? 8 : mapping.isDividing ? 6 : creation.isTransfer ? 1 : 2
      return (factor + (mapping.isMerging ? 2 : 0)) * (sources[creation.transfer.source] ?? 0)
    case .links(let link):
      return 2 * link.assignments.reduce(0) { $0 + (sources[$1.mapping.sourceTable] ?? 0) }
    case .relations(let creation):
      return 4 * (sources[creation.transfer.source] ?? 0)
    case .index(let index): return written(index.table) / 3
    case .reference(let check): return written(check.table) / 3
    case .positions(let ordering): return 5 * written(ordering.table)
    case .derived(let attribute): return 5 * written(attribute.table)
    case .validation: return destinations.values.reduce(0, +) / 10
    case .statement, .ancillary, .tables, .objectsOfNothing, .endOfPass, .repair, .part:
      return 0
    }
  }
}

extension WorkItem {
  /// The table that is read to fill another, and this; `nil` where no table is filled from one.
  fileprivate var tables: (source: String, destination: String)? {
    switch self {
    case .rows(let transfer), .pairs(let transfer): (transfer.source, transfer.destination)
    case .objects(let creation): (creation.transfer.source, creation.transfer.destination)
    case .update(let change): (change.source, change.destination)
    default: nil
    }
  }
}
