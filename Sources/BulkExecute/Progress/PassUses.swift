public import BulkSupport
internal import BulkPlan

/// The measures of a pass.
public struct PassUse: Codable, Hashable, Sendable {
  /// The leg of a route that has the pass, from 1; `nil` without a route of several.
  public var step: Int?
  /// The number of the pass, from 1.
  public var number: Int
  /// The name of the pass.
  public var name: String
  /// The rows that it wrote.
  public var rows: Int64 = 0
  /// The seconds that it took, over all attempts that were not killed.
  public var seconds = 0.0
  /// The peak memory of the process after one of its batches, in bytes, where the system reports
  /// it.
  public var memoryBytes: Int64?
  /// Whether all of it is done.
  public var isDone = false

  /// The peak memory of the process after one of its batches.
  public var memory: ByteCount? { memoryBytes.map { ByteCount(bytes: $0) } }
}

/// The measures of a store's passes so far, including those of interrupted runs.
struct PassUses {
  /// The passes that were begun, in order.
  private(set) var all: [PassUse]
  private var last: Int?
  /// The leg of a route whose passes they are, from 1; `nil` without one.
  private let step: Int?
  /// The running pass, as it was when this process began with it.
  private var running: (before: PassUse, rows: Int64, start: ContinuousClock.Instant)?

  init(_ before: [PassUse] = [], of step: Int? = nil) { (all, self.step) = (before, step) }

  /// Takes the rows written so far, of all passes; a pass that is done already is passed through without work.
  mutating func begin(_ pass: MigrationPlan.Pass, rows: Int64) {
    guard pass.number != last else { return }
    let before =
      all.first { $0.number == pass.number }
      ?? PassUse(step: step, number: pass.number, name: pass.name)
    last = pass.number
    running = before.isDone ? nil : (before, rows, SystemHost.current.instant())
  }

  /// The rows are those of all passes.
  mutating func note(rows: Int64, memory: ByteCount?) {
    guard let running else { return }
    var use = all.first { $0.number == running.before.number } ?? running.before
    use.rows = running.before.rows + rows - running.rows
    let duration = SystemHost.current.instant() - running.start
    use.seconds = running.before.seconds + duration / .seconds(1)
    use.memoryBytes = [use.memoryBytes, memory?.bytes].compactMap(\.self).max()
    replace(use)
  }

  /// `nil` if an interrupted run had done the pass.
  mutating func end(rows: Int64) -> PassUse? {
    guard let running else { return nil }
    note(rows: rows, memory: ProcessMemory.resident)
    self.running = nil
    guard var use = all.first(where: { $0.number == running.before.number }) else { return nil }
    use.isDone = true
    replace(use)
    return use
  }

  private mutating func replace(_ use: PassUse) {
    if let index = all.firstIndex(where: { $0.number == use.number }) {
      all[index] = use
    } else {
      all.append(use)
    }
  }
}

/// The counts of a finished leg of a route.
package struct LegRecord: Codable, Hashable, Sendable {
  package var tallies: [String: RowTally]
  package var passes: [PassUse]
}
