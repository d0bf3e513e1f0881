internal import BulkPlatform
internal import Synchronization

/// Applies a ``RunControl`` to a run: makes it wait, or write more slowly.
final class RunController: Sendable {
  private struct State {
    var next = SystemHost.current.instant()
    var control = RunControl()
    var throttle: Throttle?
  }

  private let state = Mutex(State())
  private let location: StateLocation
  private let interval: Duration
  private let hasBegun = Atomic(false)
  private static let pause = Duration.milliseconds(50)
  static let usualInterval = Duration.milliseconds(500)

  init(_ location: StateLocation, interval: Duration = RunController.usualInterval) {
    self.location = location
    self.interval = interval
  }

  var isAtWork: Bool { hasBegun.load(ordering: .relaxed) }

  /// Begins to apply requests; those to an earlier attempt are discarded before.
  func begin() { hasBegun.store(true, ordering: .relaxed) }

  /// Waits as long as the run is paused or throttled; a request to stop ends every wait.
  ///
  /// `note` gets requests that differ from those before. Returns how long the run was paused; `nil` if it was
  /// not.
  @discardableResult
  func wait(
    noting note: (RunControl) -> Void = { _ in },
    unless isStopped: () -> Bool
  ) -> Duration? {
    var paused: Duration?
    while mustWait(note), !isStopped() {
      let start = SystemHost.current.instant()
      SystemThread.pause(Self.pause)
      guard state.withLock(\.control.isPaused) else { continue }
      paused = (paused ?? .zero) + start.duration(to: SystemHost.current.instant())
    }
    return paused
  }

  private func mustWait(_ note: (RunControl) -> Void) -> Bool {
    guard isAtWork else { return false }
    let (waits, taken) = state.withLock { state in
      var taken: RunControl?
      if SystemHost.current.instant() >= state.next {
        state.next = SystemHost.current.instant() + interval
        taken = take(ControlFile(location)?.control ?? RunControl(), &state)
      }
      return (state.control.isPaused || state.throttle?.mustWait() ?? false, taken)
    }
    if let taken { note(taken) }
    return waits
  }

  /// `nil` if they are the requests before.
  private func take(_ control: RunControl, _ state: inout State) -> RunControl? {
    guard control != state.control else { return nil }
    state.control = control
    state.throttle = Throttle(after: state.throttle, bytesPerSecond: control.bytesPerSecond)
    return control
  }
}
