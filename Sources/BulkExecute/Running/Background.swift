internal import Foundation
internal import Synchronization

/// Work that is done on a thread of its own, while whoever needs it goes on.
final class Background<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var isStopped = false
  }

  private let state = Mutex(State())
  /// Is signalled when the value is there.
  private let end = NSCondition()

  /// Begins some work, which should ask now and then whether it is still wanted.
  init(_ work: @escaping @Sendable (_ isStopped: () -> Bool) -> Value) {
    Thread.detachNewThread { [self] in
      let value = work { state.withLock { $0.isStopped } }
      end.withLock {
        state.withLock { $0.value = value }
        end.broadcast()
      }
    }
  }

  /// Waits for what the work gives.
  func value() -> Value {
    end.withLock {
      while true {
        if let value = state.withLock({ $0.value }) { return value }
        end.wait()
      }
    }
  }

  /// Waits for what the work gives.
  ///
  /// - Parameter meanwhile: Is called ten times a second.
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

  /// Lets the work know that it is not wanted any more, and waits for its end.
  func stop() {
    state.withLock { $0.isStopped = true }
    _ = value()
  }
}
