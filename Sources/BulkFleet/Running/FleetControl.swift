package import BulkExecute
internal import BulkSupport
internal import Synchronization

/// The requests of other processes to `fleet run`, in a file beside its results.
package struct FleetControlFile {
  private let results: String

  package init(_ results: String) { self.results = results }

  private var path: String { results + ".control" }

  /// The requests; none if the file is missing or unreadable.
  package var control: RunControl { (try? ControlFile(path))?.control ?? RunControl() }

  /// The requests to the run that is at work; `nil` if none is.
  package var applied: RunControl? { ResultLog.isHeld(results) ? control : nil }

  /// Sends requests to the run, which applies them within a second; fails if none is at work.
  package func send(_ control: RunControl) throws {
    guard ResultLog.isHeld(results) else {
      throw FleetError(
        StoreResult.Code.noInput,
        "no fleet run appends to \(results) now; name the results of one that is at work with --results"
      )
    }
    try ControlFile(path).send(control)
  }

  func discard() { (try? ControlFile(path))?.discard() }
}

/// A line from the coordinator to a worker: a job, or the requests that apply to the worker from now on.
struct WorkerOrder: Codable, Sendable {
  var job: StoreJob?
  var control: RunControl?
}

extension RunControl {
  /// The requests to each of several workers, which together write no more than is requested of all.
  func shared(among workers: Int) -> RunControl {
    RunControl(
      isPaused: isPaused,
      bytesPerSecond: bytesPerSecond.map { max($0 / Int64(max(workers, 1)), 1) }
    )
  }
}

/// The orders of the coordinator to this worker, read from standard input: jobs one by one and, at
/// any time, requests to wait or to write more slowly.
package final class WorkerOrders: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var jobs: [StoreJob] = []
    var isAtEnd = false
    var next = SystemHost.current.instant()
    var control = RunControl()
    var throttle: Throttle?
  }

  private let descriptor: Int32
  private let state = Mutex(State())
  private static let interval = Duration.milliseconds(200)
  private static let pause = Duration.milliseconds(50)

  package init(_ descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

  /// Waits for the next job until `isStopped`, which is called several times a second; `nil` if there will be none.
  package func nextJob(_ isStopped: () -> Bool) -> StoreJob? {
    while !isStopped() {
      let (job, isAtEnd) = state.withLock { state in
        (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isAtEnd)
      }
      if let job {
        wait(unless: isStopped)
        return job
      }
      if isAtEnd { return nil }
      if !ChildProcess.readable(among: [descriptor], waiting: 100).isEmpty { read() }
    }
    return nil
  }

  /// Waits as long as the coordinator requests it; a request to stop ends every wait.
  package func wait(unless isStopped: () -> Bool) {
    while mustWait, !isStopped() { SystemThread.pause(Self.pause) }
  }

  private var mustWait: Bool {
    let isDue = state.withLock { state in
      guard SystemHost.current.instant() >= state.next else { return false }
      state.next = SystemHost.current.instant() + Self.interval
      return !state.isAtEnd
    }
    if isDue, !ChildProcess.readable(among: [descriptor], waiting: 0).isEmpty { read() }
    return state.withLock { state in
      state.control.isPaused || state.throttle?.mustWait() ?? false
    }
  }

  /// Reads what can be read at once; a line that is not an order is skipped.
  private func read() {
    let found = ChildProcess.available(on: descriptor)
    state.withLock { state in
      state.isAtEnd = found.isEmpty
      state.bytes += found
      while let end = state.bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(state.bytes[..<end])
        state.bytes.removeSubrange(...end)
        guard let order = try? JSONDecoder().decode(WorkerOrder.self, from: line) else { continue }
        if let job = order.job { state.jobs.append(job) }
        guard let control = order.control, control != state.control else { continue }
        state.control = control
        state.throttle = Throttle(after: state.throttle, bytesPerSecond: control.bytesPerSecond)
      }
    }
  }
}
