/// Checks, at intervals during long work, whether the work is still wanted.
///
/// Once it is not, the watch makes no more calls: the work ends at once with an arbitrary result, which the caller
/// discards.
package final class WorkWatch {
  /// The steps between two calls, worth a few milliseconds.
  package static let stepsBetweenChecks = 1 << 18

  private let shouldStop: () -> Bool
  private var steps = 0
  package private(set) var isStopped = false

  package init(_ shouldStop: @escaping () -> Bool = { false }) { self.shouldStop = shouldStop }

  package func isStopped(after count: Int) -> Bool {
    steps += count
    guard steps >= Self.stepsBetweenChecks, !isStopped else { return isStopped }
    steps = 0
    isStopped = shouldStop()
    return isStopped
  }
}
