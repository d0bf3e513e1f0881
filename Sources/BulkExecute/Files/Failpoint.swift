#if DEBUG
internal import BulkSupport
internal import Synchronization
#endif

/// Where a debug build can be made to die at a ``DurableStep``, as if it had been killed there, or to stop.
///
/// `BULKMIGRATE_FAILPOINT=commit:3` kills the process just before it commits its third transaction, and
/// `BULKMIGRATE_FAILPOINT=step:17` after its 17th durable step of any kind. `BULKMIGRATE_FAILPOINT=count`
/// prints the number of steps, `steps: 132`, at the end of the process. `BULKMIGRATE_STANDSTILL=commit:3`
/// stops the process there until it is sent SIGCONT. `BULKMIGRATE_TRACE=FILE` appends a line for each step to a file,
/// `4711 commit 3`: the process, the name, and the number of those that have one.
package enum Failpoint {
  #if DEBUG
  private static let wanted = SystemHost.current.environment()["BULKMIGRATE_FAILPOINT"]
  private static let standstill = SystemHost.current.environment()["BULKMIGRATE_STANDSTILL"]
  /// The file to which steps are appended, open; -1 if there is none.
  private static let trace: Int32 = {
    guard let path = SystemHost.current.environment()["BULKMIGRATE_TRACE"] else { return -1 }
    return unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  }()
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
  static func step(_ step: DurableStep) {
    #if DEBUG
    reached(step)
    guard wanted != nil else { return }
    printsCount
    dieOrStop(at: "step:\(steps.add(1, ordering: .relaxed).newValue)")
    #endif
  }

  package static func reached(_ step: DurableStep, _ number: Int64 = 0) {
    #if DEBUG
    if trace >= 0 {
      let line = Array("\(getpid()) \(step.rawValue) \(number)\n".utf8)
      unsafe write(trace, line, line.count)
    }
    dieOrStop(at: "\(step.rawValue):\(number)")
    #endif
  }

  #if DEBUG
  private static func dieOrStop(at step: String) {
    if wanted == step { kill(getpid(), SIGKILL) }
    if standstill == step { kill(getpid(), SIGSTOP) }
  }
  #endif
}
