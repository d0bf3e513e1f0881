/// Keeps a migration in touch with whoever watches it while one long statement runs.
final class Pulse {
  private let migration: Migration
  private var move: Move?

  /// A table that is being moved by one statement.
  private struct Move {
    let pass: Int
    let rowsBefore: Int64
    let rows: Int64
    /// The questions to expect until its end.
    let beats: Int64
    var beat: Int64 = 0
  }

  init(_ migration: Migration) { self.migration = migration }

  /// Expects a table to be moved whole.
  ///
  /// - Parameters:
  ///   - rows: Its rows.
  ///   - indexes: The number of indexes whose entries move too.
  ///   - rowsBefore: The rows that were written before.
  ///   - pass: The number of the pass that is running.
  func begin(rows: Int64, indexes: Int, after rowsBefore: Int64, pass: Int) {
    let (steps, isTooMany) = rows.multipliedReportingOverflow(
      by: Self.stepsPerRow + Self.stepsPerEntry * Int64(indexes)
    )
    move = Move(
      pass: pass,
      rowsBefore: rowsBefore,
      rows: rows,
      beats: isTooMany ? .max : max(steps / Migration.stepsBetweenQuestions, 1)
    )
  }

  /// The table is moved.
  func end() { move = nil }

  /// What SQLite's machine does for a row, and for an entry of an index; only the rows that are shown
  /// meanwhile depend on it.
  private static let stepsPerRow: Int64 = 5
  private static let stepsPerEntry: Int64 = 3

  /// Tells where the migration stands.
  ///
  /// - Returns: Whether it is to stop.
  func beat() -> Bool {
    if move != nil {
      move?.beat += 1
      if let move { report(move) }
    }
    return migration.mustStop
  }

  private func report(_ move: Move) {
    let share = min(Double(move.beat) / Double(move.beats), 1)
    let moved = Int64(Double(move.rows) * share)
    migration.report(
      migration.progress(.rows, pass: move.pass, rows: move.rowsBefore &+ min(moved, move.rows))
    )
  }
}
