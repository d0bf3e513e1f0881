internal import BulkPlatform
internal import Foundation
internal import Synchronization

/// Work on a separate thread, while its caller proceeds.
final class Background<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var isStopped = false
  }

  private let state = Mutex(State())
  /// Signalled when the value is available.
  private let end = NSCondition()

  /// Starts some work, which should check regularly whether it has been stopped.
  init(_ work: @escaping @Sendable (_ isStopped: () -> Bool) -> Value) {
    Thread.detachNewThread { [self] in
      let value = work { state.withLock { $0.isStopped } }
      end.withLock {
        state.withLock { $0.value = value }
        end.broadcast()
      }
    }
  }

  /// Waits for the value of the work.
  func value() -> Value {
    end.withLock {
      while true {
        if let value = state.withLock({ $0.value }) { return value }
        end.wait()
      }
    }
  }

  /// Waits for the value of the work.
  ///
  /// - Parameter meanwhile: Called ten times a second.
  /// - Returns: The value.
  /// - Throws: What `meanwhile` throws, which ends the wait.
  func value(_ meanwhile: () throws -> Void) throws -> Value {
    while true {
      if let value = valueSoon() { return value }
      try meanwhile()
    }
  }

  private func valueSoon() -> Value? {
    end.withLock {
      let limit = Date(timeIntervalSinceNow: 0.1)
      while true {
        if let value = state.withLock({ $0.value }) { return value }
        guard end.wait(until: limit) else { return nil }
      }
    }
  }

  /// Stops the work, and waits for its end.
  func stop() {
    state.withLock { $0.isStopped = true }
    _ = value()
  }
}
