internal import BulkCoding
internal import BulkPlatform
internal import Synchronization

/// Makes a run obey what is asked of it: to wait, to write more slowly, to take another memory limit.
///
/// Memory is divided when a run begins. For another limit the run is asked to stop, and begins again from its
/// last checkpoint in the same process.
final class RunGovernor: Sendable {
  private struct State {
    var next = ContinuousClock.now
    var control = RunControl()
    var throttle: Throttle?
    /// The memory limit that the run has.
    var memoryLimit: ByteCount
    /// When it was first asked for another one.
    var asked: ContinuousClock.Instant?
  }

  private let state: Mutex<State>
  private let location: StateLocation
  private let interval: Duration
  private let wish: @Sendable () -> ByteCount?
  private let hasBegun = Atomic(false)
  private let waited = Atomic(false)
  private static let pause = Duration.milliseconds(50)
  /// How long the running transaction may go on once another memory limit is asked for; after that it is rolled
  /// back and done again.
  private static let grace = Duration.seconds(3)
  /// How often the file of what is asked is read.
  static let usualInterval = Duration.milliseconds(500)

  /// The smallest memory limit that it takes; `nil` if it takes no other than that it has.
  let leastMemory: ByteCount?

  /// - Parameters:
  ///   - location: The state directory.
  ///   - memoryLimit: The memory limit with which the run begins.
  ///   - leastMemory: The smallest limit that it takes; `nil` to take no other.
  ///   - interval: How often to read what is asked.
  ///   - wish: The memory limit that is asked for where the file asks for none; `nil` for none.
  init(
    _ location: StateLocation,
    memoryLimit: ByteCount,
    leastMemory: ByteCount?,
    interval: Duration = RunGovernor.usualInterval,
    wish: @escaping @Sendable () -> ByteCount? = { nil }
  ) {
    self.location = location
    self.leastMemory = leastMemory
    self.interval = interval
    self.wish = wish
    state = Mutex(State(memoryLimit: memoryLimit))
  }

  /// Whether it obeys by now.
  var isAtWork: Bool { hasBegun.load(ordering: .relaxed) }

  /// Begins to obey; what was asked of an earlier attempt is forgotten before.
  func begin() { hasBegun.store(true, ordering: .relaxed) }

  /// Waits as long as it is asked to; a request to stop ends every wait.
  func obey(_ isStopped: () -> Bool) {
    while mustWait, !isStopped() {
      waited.store(true, ordering: .relaxed)
      SystemThread.pause(Self.pause)
    }
  }

  /// Whether the run has waited because it was asked to.
  var hasWaited: Bool { waited.load(ordering: .relaxed) }

  /// The memory limit that the run has.
  var memoryLimit: ByteCount { state.withLock(\.memoryLimit) }

  /// The request to stop, so that the run can begin again with another memory limit.
  var request: StopRequest? {
    state.withLock { state in
      guard wanted(state.control, state.memoryLimit) != nil else { return nil }
      let asked = state.asked ?? .now
      state.asked = asked
      return ContinuousClock.now < asked + Self.grace ? .afterTransaction : .atOnce
    }
  }

  /// Takes the memory limit that is asked for.
  ///
  /// - Returns: The limit; `nil` if no other is asked for.
  func takeMemoryLimit() -> ByteCount? {
    state.withLock { state in
      guard let wanted = wanted(state.control, state.memoryLimit) else { return nil }
      state.memoryLimit = wanted
      state.asked = nil
      return wanted
    }
  }

  private func wanted(_ control: RunControl, _ memoryLimit: ByteCount) -> ByteCount? {
    guard let leastMemory,
      let wanted = control.memoryLimit.map({ ByteCount(bytes: $0) }) ?? wish()
    else { return nil }
    return wanted >= leastMemory && wanted != memoryLimit ? wanted : nil
  }

  /// Whether to wait at this moment.
  private var mustWait: Bool {
    guard isAtWork else { return false }
    return state.withLock { state in
      if ContinuousClock.now >= state.next {
        state.next = .now + interval
        take(ControlFile(location)?.control ?? RunControl(), &state)
      }
      if state.control.isPaused { return true }
      return state.throttle?.mustWait() ?? false
    }
  }

  private func take(_ control: RunControl, _ state: inout State) {
    guard control != state.control else { return }
    state.control = control
    state.throttle = Throttle(after: state.throttle, bytesPerSecond: control.bytesPerSecond)
  }
}
