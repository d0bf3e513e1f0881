internal import BulkCoding
internal import BulkPlatform
internal import Synchronization

/// Applies a ``RunControl`` to a run: makes it wait, write more slowly, or take another memory limit.
///
/// Memory is divided when a run begins. For another limit the run stops, and begins again from its last
/// checkpoint in the same process.
final class RunController: Sendable {
  private struct State {
    var next = SystemHost.current.instant()
    var control = RunControl()
    var throttle: Throttle?
    /// The memory limit that the run has.
    var memoryLimit: ByteCount
    /// The time when another one was first requested.
    var requestedSince: ContinuousClock.Instant?
  }

  private let state: Mutex<State>
  private let location: StateLocation
  private let interval: Duration
  private let requested: @Sendable () -> ByteCount?
  private let hasBegun = Atomic(false)
  private let waited = Atomic(false)
  private static let pause = Duration.milliseconds(50)
  /// How long the running transaction may take once another memory limit is requested; after that it is rolled
  /// back and done again.
  private static let grace = Duration.seconds(3)
  /// How often the control file is read.
  static let usualInterval = Duration.milliseconds(500)

  /// The smallest memory limit that it takes; `nil` if it takes no other than that it has.
  let leastMemory: ByteCount?

  /// - Parameters:
  ///   - location: The state directory.
  ///   - memoryLimit: The memory limit with which the run begins.
  ///   - leastMemory: The smallest limit that it takes; `nil` to take no other.
  ///   - interval: How often to read the control file.
  ///   - requested: The memory limit that the caller requests where the file requests none; `nil` for none.
  init(
    _ location: StateLocation,
    memoryLimit: ByteCount,
    leastMemory: ByteCount?,
    interval: Duration = RunController.usualInterval,
    requested: @escaping @Sendable () -> ByteCount? = { nil }
  ) {
    self.location = location
    self.leastMemory = leastMemory
    self.interval = interval
    self.requested = requested
    state = Mutex(State(memoryLimit: memoryLimit))
  }

  /// Whether it applies requests by now.
  var isAtWork: Bool { hasBegun.load(ordering: .relaxed) }

  /// Begins to apply requests; those to an earlier attempt are discarded before.
  func begin() { hasBegun.store(true, ordering: .relaxed) }

  /// Waits as long as the run is paused or throttled; a request to stop ends every wait.
  ///
  /// - Parameters:
  ///   - note: Called with requests that differ from those before.
  ///   - isStopped: Whether a stop is requested.
  /// - Returns: How long it was paused; `nil` if it was not.
  @discardableResult
  func wait(
    noting note: (RunControl) -> Void = { _ in },
    unless isStopped: () -> Bool
  ) -> Duration? {
    var paused: Duration?
    while mustWait(note), !isStopped() {
      waited.store(true, ordering: .relaxed)
      let start = SystemHost.current.instant()
      SystemThread.pause(Self.pause)
      guard state.withLock(\.control.isPaused) else { continue }
      paused = (paused ?? .zero) + start.duration(to: SystemHost.current.instant())
    }
    return paused
  }

  /// Whether the run has waited on request.
  var hasWaited: Bool { waited.load(ordering: .relaxed) }

  /// The memory limit that the run has.
  var memoryLimit: ByteCount { state.withLock(\.memoryLimit) }

  /// The request to stop, so that the run can begin again with another memory limit.
  var request: StopRequest? {
    state.withLock { state in
      guard wanted(state.control, state.memoryLimit) != nil else { return nil }
      let since = state.requestedSince ?? SystemHost.current.instant()
      state.requestedSince = since
      return SystemHost.current.instant() < since + Self.grace ? .afterTransaction : .atOnce
    }
  }

  /// Takes the requested memory limit.
  ///
  /// - Returns: The limit; `nil` if no other is requested.
  func takeMemoryLimit() -> ByteCount? {
    state.withLock { state in
      guard let wanted = wanted(state.control, state.memoryLimit) else { return nil }
      state.memoryLimit = wanted
      state.requestedSince = nil
      return wanted
    }
  }

  private func wanted(_ control: RunControl, _ memoryLimit: ByteCount) -> ByteCount? {
    guard let leastMemory,
      let wanted = control.memoryLimit.map({ ByteCount(bytes: $0) }) ?? requested()
    else { return nil }
    return wanted >= leastMemory && wanted != memoryLimit ? wanted : nil
  }

  /// Whether to wait at this moment.
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

  /// Takes requests; `nil` if they are those before.
  private func take(_ control: RunControl, _ state: inout State) -> RunControl? {
    guard control != state.control else { return nil }
    state.control = control
    state.throttle = Throttle(after: state.throttle, bytesPerSecond: control.bytesPerSecond)
    return control
  }
}
