/// Checks, at intervals during long work, whether the work is still wanted.
///
/// Once it is not, the watch makes no more calls: the work ends at once with an arbitrary result, which the caller
/// discards.
package final class WorkWatch {
  /// The steps between two calls, worth a few milliseconds.
  package static let stepsBetweenChecks = 1 << 18

  private let shouldStop: () -> Bool
  private var steps = 0
  /// Whether the work was abandoned, as of the last call.
  package private(set) var isStopped = false

  /// - Parameter shouldStop: Returns whether to end the work.
  package init(_ shouldStop: @escaping () -> Bool = { false }) { self.shouldStop = shouldStop }

  /// Counts some steps, and returns whether to end the work.
  package func isStopped(after count: Int) -> Bool {
    steps += count
    guard steps >= Self.stepsBetweenChecks, !isStopped else { return isStopped }
    steps = 0
    isStopped = shouldStop()
    return isStopped
  }
}
