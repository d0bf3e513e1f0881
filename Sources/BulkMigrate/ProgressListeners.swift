package import BulkExecute
internal import Synchronization

/// Those who are told how far a run has come.
package final class ProgressListeners: Sendable {
  private struct Listener {
    let tell: @Sendable (MigrationProgress) -> Void
    let finish: @Sendable () -> Void
  }

  private let listeners = Mutex<[Listener]>([])

  /// Adds one who is told on the thread of the run, which waits meanwhile, until the run ends.
  ///
  /// - Parameters:
  ///   - tell: Is told after every batch.
  ///   - finish: Is called when the run ends.
  package func add(
    _ tell: @escaping @Sendable (MigrationProgress) -> Void,
    finish: @escaping @Sendable () -> Void = {}
  ) {
    listeners.withLock { $0.append(Listener(tell: tell, finish: finish)) }
  }

  /// The newest value whenever one is asked for, until the run ends.
  func stream() -> AsyncStream<MigrationProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MigrationProgress.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    add({ continuation.yield($0) }, finish: { continuation.finish() })
    return stream
  }

  func tell(_ progress: MigrationProgress) {
    for listener in listeners.withLock(\.self) { listener.tell(progress) }
  }

  func finish() {
    let ended = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for listener in ended { listener.finish() }
  }
}
