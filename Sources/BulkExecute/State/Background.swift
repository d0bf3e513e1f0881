internal import BulkSupport
internal import Synchronization

/// Work on a separate thread, while its caller proceeds.
package final class Background<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var isStopped = false
  }

  private let state = Mutex(State())
  private let end = SystemEvent()
  /// In bytes.
  private static var stackSize: Int { 8 << 20 }

  /// The work should check regularly whether it has been stopped.
  package init(_ work: @escaping @Sendable (_ isStopped: () -> Bool) -> Value) {
    SystemThread.detach(stackBytes: Self.stackSize) { [self] in
      let value = work { state.withLock { $0.isStopped } }
      state.withLock { $0.value = value }
      end.signal()
    }
  }

  package func value() -> Value { value {} }

  /// `stopIfRequested` is called ten times a second; its error ends the wait.
  package func value(_ stopIfRequested: () throws -> Void) rethrows -> Value {
    while true {
      if end.waitShortly(), let value = state.withLock({ $0.value }) { return value }
      try stopIfRequested()
    }
  }

  package func stop() {
    state.withLock { $0.isStopped = true }
    _ = value()
  }
}
