#if DEBUG
internal import BulkPlatform
internal import Synchronization
#endif

/// A place where a debug build can be made to die, as if it had been killed there, or to stop.
///
/// `BULKMIGRATE_FAILPOINT=commit:3` kills the process just before it commits its third transaction, and
/// `BULKMIGRATE_FAILPOINT=step:17` after its 17th durable step of any kind. `BULKMIGRATE_FAILPOINT=count`
/// prints the number of steps, `steps: 132`, at the end of the process. `BULKMIGRATE_STANDSTILL=commit:3`
/// stops the process there until it is sent SIGCONT.
package enum Failpoint {
  #if DEBUG
  private static let wanted = SystemHost.current.environment()["BULKMIGRATE_FAILPOINT"]
  private static let standstill = SystemHost.current.environment()["BULKMIGRATE_STANDSTILL"]
  /// A process dies as a whole, so its steps count whoever makes them.
  private static let steps = Atomic<Int64>(0)
  private static let printsCount: Void = {
    guard wanted == "count" else { return }
    atexit {
      let text = Array("steps: \(Failpoint.steps.load(ordering: .relaxed))\n".utf8)
      // The bytes outlive the call.
      unsafe write(STDERR_FILENO, text, text.count)
    }
  }()
  #endif

  /// Counts a step that made something durable or gave it its name, and dies if that was requested.
  static func step() {
    #if DEBUG
    guard wanted != nil else { return }
    printsCount
    reached("step", steps.add(1, ordering: .relaxed).newValue)
    #endif
  }

  /// Dies or stops if the environment requests it.
  package static func reached(_ name: String, _ number: Int64 = 0) {
    #if DEBUG
    if let wanted, wanted == "\(name):\(number)" { kill(getpid(), SIGKILL) }
    if let standstill, standstill == "\(name):\(number)" { kill(getpid(), SIGSTOP) }
    #endif
  }
}
