/// Asks, every so many steps of work that may be long, whether the work is still wanted.
///
/// Once it is not, nothing more is asked: whoever works gives up at once, with whatever outcome, and whoever
/// had it done throws that away.
package final class WorkWatch {
  /// The steps between two questions, some milliseconds' worth.
  package static let stepsBetweenQuestions = 1 << 18

  private let shouldStop: () -> Bool
  private var steps = 0
  /// Whether the work is not wanted any more, as far as was asked.
  package private(set) var isStopped = false

  /// - Parameter shouldStop: Is asked whether the work is to end.
  package init(_ shouldStop: @escaping () -> Bool = { false }) { self.shouldStop = shouldStop }

  /// Counts some steps.
  ///
  /// - Returns: Whether the work is to end.
  package func isStopped(after count: Int) -> Bool {
    steps += count
    guard steps >= Self.stepsBetweenQuestions, !isStopped else { return isStopped }
    steps = 0
    isStopped = shouldStop()
    return isStopped
  }
}
