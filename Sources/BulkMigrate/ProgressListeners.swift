internal import BulkExecute
internal import Synchronization

/// The listeners of a migration's progress.
package final class ProgressListeners: Sendable {
  private struct Listener {
    let report: @Sendable (MigrationProgress) -> Void
    let finish: @Sendable () -> Void
  }

  private let listeners = Mutex<[Listener]>([])

  /// Adds a listener; it is called after every batch and when the run ends, on the thread of the run, which waits for
  /// it.
  package func add(
    _ report: @escaping @Sendable (MigrationProgress) -> Void,
    finish: @escaping @Sendable () -> Void = {}
  ) {
    listeners.withLock { $0.append(Listener(report: report, finish: finish)) }
  }

  /// A stream of the newest values until the run ends.
  func stream() -> AsyncStream<MigrationProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MigrationProgress.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    add({ continuation.yield($0) }, finish: { continuation.finish() })
    return stream
  }

  func report(_ progress: MigrationProgress) {
    for listener in listeners.withLock(\.self) { listener.report(progress) }
  }

  func finish() {
    let ended = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for listener in ended { listener.finish() }
  }
}
