/// Reports progress and checks for a stop request while one long statement runs.
final class ProgressHandler {
  private let migration: Migration
  private var move: Move?

  /// A table that is being moved by one statement.
  private struct Move {
    let pass: Int
    let rowsBefore: Int64
    let rows: Int64
    /// The number of calls expected until its end.
    let expectedCalls: Int64
    var calls: Int64 = 0
  }

  init(_ migration: Migration) { self.migration = migration }

  /// Expects a table to be moved whole.
  ///
  /// - Parameters:
  ///   - rows: Its rows.
  ///   - indexes: The number of indexes whose entries move too.
  ///   - rowsBefore: The rows written before.
  ///   - pass: The number of the running pass.
  func begin(rows: Int64, indexes: Int, after rowsBefore: Int64, pass: Int) {
    let (steps, isTooMany) = rows.multipliedReportingOverflow(
      by: Self.stepsPerRow + Self.stepsPerEntry * Int64(indexes)
    )
    move = Move(
      pass: pass,
      rowsBefore: rowsBefore,
      rows: rows,
      expectedCalls: isTooMany ? .max : max(steps / Migration.stepsBetweenQuestions, 1)
    )
  }

  /// Ends the move of a table.
  func end() { move = nil }

  /// The virtual machine instructions for a row, and for an index entry; only the displayed rows depend on
  /// it.
  private static let stepsPerRow: Int64 = 5
  private static let stepsPerEntry: Int64 = 3

  /// Reports progress; SQLite calls it every few milliseconds during a statement.
  ///
  /// - Returns: Whether to stop.
  func shouldStop() -> Bool {
    if move != nil {
      move?.calls += 1
      if let move { report(move) }
    }
    return migration.mustStop
  }

  private func report(_ move: Move) {
    let share = min(Double(move.calls) / Double(move.expectedCalls), 1)
    let moved = Int64(Double(move.rows) * share)
    migration.report(
      migration.progress(.rows, pass: move.pass, rows: move.rowsBefore &+ min(moved, move.rows))
    )
  }
}
