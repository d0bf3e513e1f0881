internal import BulkSupport
internal import BulkExecute

/// A worker process, which gets a job a line and answers each with a result a line.
final class WorkerLink {
  enum Event {
    case result(StoreResult)
    /// It has ended without an answer to its job, if it had one; it may have written a line that is none.
    case ended(ChildProcess.Ending, foreign: String?)
  }

  private(set) var job: StoreJob?
  let isForOneJob: Bool
  private let process: ChildProcess
  /// The requests that it was last sent.
  private var control = RunControl()
  private var buffer: [UInt8] = []
  /// A line that it wrote, and that is not a result of its job.
  private var foreign: String?

  init(_ command: FleetRun.WorkerCommand, isForOneJob: Bool) throws(FleetError) {
    self.isForOneJob = isForOneJob
    do {
      process = try ChildProcess(command.program, command.arguments)
    } catch {
      throw FleetError(
        StoreResult.Code.temporary,
        "no worker can be started: \(command.program): \(error.reason)"
      )
    }
  }

  var descriptor: Int32 { process.output }

  /// Gives it a job; that a worker has ended shows when it is read.
  func give(_ job: StoreJob) {
    self.job = job
    write(WorkerOrder(job: job))
  }

  /// Sends it the requests that apply from now on, unless it has them.
  func send(_ control: RunControl) {
    guard control != self.control else { return }
    self.control = control
    write(WorkerOrder(control: control))
  }

  private func write(_ order: WorkerOrder) {
    guard let line = try? StableJSON.line(order) else { return }
    _ = process.write(Array((line + "\n").utf8))
  }

  /// Reads what it has sent.
  ///
  /// What a policy prints is passed over. One that writes other objects than its results is killed: it may never answer.
  func events() -> [Event] {
    let bytes = ChildProcess.available(on: process.output)
    buffer += bytes
    var events: [Event] = []
    while foreign == nil, let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(buffer[..<end])
      buffer.removeSubrange(...end)
      guard line.first == UInt8(ascii: "{") else { continue }
      guard let result = StoreResult(line: line), result.id == job?.store.id else {
        foreign = String(decoding: line, as: UTF8.self)
        process.send(SIGKILL)
        break
      }
      job = nil
      events.append(.result(result))
    }
    if bytes.isEmpty { events.append(.ended(process.end(), foreign: foreign)) }
    return events
  }

  /// Lets it stop at a checkpoint.
  func stop() { process.send(SIGTERM) }

  func dismiss() { process.endInput() }
}
