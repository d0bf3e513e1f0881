internal import BulkExecute
internal import BulkSupport

/// Migrates the stores of a fleet with worker processes: gives out jobs, counts their outcomes, and
/// ends where too many fail.
package final class FleetRun {
  package struct Settings {
    package var workers = 1
    /// How many stores may fail; beyond it no more are started.
    ///
    /// `nil` for all of them, but no canary.
    package var maxFailures: FleetLimit?
    /// How often a store that may succeed another time is tried again.
    package var retries = 2
    /// Called regularly; returns whether to stop.
    package var isStopped: () -> Bool = { false }
    package var observe: (FleetEvent) -> Void = { _ in }

    package init() {}
  }

  package typealias WorkerCommand = (program: String, arguments: [String])

  package enum Ending: Hashable, Sendable {
    case done
    /// Some failed, and so many may; or objects were left out.
    case failuresAllowed
    case tooManyFailures
    /// The only failures are those of verifications.
    case verificationFailed
    /// It was stopped with work left.
    case workLeft
  }

  private let fleet: FleetPlan
  private let list: FleetList
  private let selection: StoreSelection
  private let settings: Settings
  private let command: WorkerCommand
  private let log: ResultLog
  private var attempts: [Int: ResultLog.Attempts]
  private var links: [WorkerLink] = []
  private let controlFile: FleetControlFile
  private var control = RunControl()
  private var nextReading = SystemHost.current.instant()
  private static let controlInterval = Duration.milliseconds(500)
  /// The number of successive attempts with an unknown end, over all runs, after which a store is quarantined.
  private static let maxStarts = 10
  /// The characters of a line that is not a result of which an error shows.
  private static let shown = 200
  private var tally = FleetTally()
  private var costs = MeasuredCosts()
  private var isEnding = false
  private var isStopping = false
  /// The number of stores that run now, canaries or others, and the failures before them.
  private var current = (stores: 0, failuresBefore: 0)
  /// How often each store was tried again in this run, by its id.
  private var retried: [String: Int] = [:]

  package init(
    _ fleet: FleetPlan,
    _ list: FleetList,
    _ selection: StoreSelection,
    results: String,
    workers command: WorkerCommand,
    settings: Settings
  ) throws(FleetError) {
    self.fleet = fleet
    self.list = list
    self.selection = selection
    self.command = command
    self.settings = settings
    log = try ResultLog(results)
    controlFile = FleetControlFile(results)
    controlFile.discard()
    attempts = try ResultLog.attempts(results)
    tally.total = selection.count
  }

  /// Runs the canaries, and then the other stores.
  package func run() throws(FleetError) -> (Ending, FleetTally) {
    Failpoint.reached(.fleet)
    if !selection.canaries.isEmpty {
      try run(selection.canaries, verifies: true)
      if tally.unverified > 0 || settings.maxFailures == nil && tally.failures > 0 {
        isEnding = true
      }
    }
    if !isEnding { try run(selection.others, verifies: false) }
    links.forEach { $0.dismiss() }
    links = []
    controlFile.discard()
    try log.synchronize()
    return (ending, tally)
  }

  private var ending: Ending {
    if isStopping { return .workLeft }
    if tally.unverified > 0, tally.unverified == tally.failures { return .verificationFailed }
    if isEnding { return .tooManyFailures }
    if tally.ended < tally.total - tally.failures { return .workLeft }
    return tally.failures > 0 || tally.rejected > 0 ? .failuresAllowed : .done
  }

  private func run(_ stores: [StoreSelection.Choice], verifies: Bool) throws(FleetError) {
    current = (stores.count, tally.failures)
    var queue = StoreQueue(list, stores, ofVersions: selection.versions, verifies: verifies)
    while true {
      if settings.isStopped(), !isStopping {
        (isStopping, isEnding) = (true, true)
        links.forEach { $0.stop() }
      }
      readControl()
      if !isEnding, !control.isPaused { try give(&queue) }
      // Each worker writes an equal part of what all may.
      let share = control.shared(among: links.count { $0.job != nil })
      for link in links { link.send(share) }
      if links.allSatisfy({ $0.job == nil }), isEnding || queue.isEmpty { return }
      let readable = ChildProcess.readable(among: links.map(\.descriptor), waiting: 100)
      for link in links where readable.contains(link.descriptor) {
        try readEvents(of: link, &queue)
      }
    }
  }

  private func readControl() {
    guard SystemHost.current.instant() >= nextReading else { return }
    nextReading = SystemHost.current.instant() + Self.controlInterval
    let current = controlFile.control
    guard current != control else { return }
    control = current
    settings.observe(.requested(current))
  }

  private func give(_ queue: inout StoreQueue) throws(FleetError) {
    while links.count < settings.workers || links.contains(where: { $0.job == nil }) {
      if queue.isEmpty { return }
      let needsOwn = queue.isNextAlone
      let link: WorkerLink
      if let idle = links.first(where: { $0.job == nil && $0.isForOneJob == false }), !needsOwn {
        link = idle
      } else {
        if needsOwn, let idle = links.firstIndex(where: { $0.job == nil }) {
          links.remove(at: idle).dismiss()
        }
        guard links.count < settings.workers else { return }
        link = try WorkerLink(command, isForOneJob: needsOwn)
        link.send(control.shared(among: settings.workers))
        links.append(link)
      }
      guard var job = try queue.next(costs) else { return }
      let id = job.store.id.hashValue
      attempts[id, default: ResultLog.Attempts()].begin()
      job.attempt = Int(attempts[id]?.count ?? 1)
      try log.begin(job.store.id)
      tally.started += 1
      settings.observe(.began(job))
      link.give(job)
    }
  }

  private func readEvents(of link: WorkerLink, _ queue: inout StoreQueue) throws(FleetError) {
    let former = link.job
    for event in link.events() {
      switch event {
      case .result(let result):
        try take(result, of: former, &queue)
        if link.isForOneJob { link.dismiss() }
      case .ended(let ending, let foreign):
        links.removeAll { $0 === link }
        if let job = link.job {
          try take(ending, foreign: foreign, of: job, wasAlone: link.isForOneJob, &queue)
        }
      }
    }
  }

  private func take(
    _ result: StoreResult,
    of job: StoreJob?,
    _ queue: inout StoreQueue
  ) throws(FleetError) {
    try log.append(result)
    try log.end(result.id)
    settings.observe(.attempted(result))
    attempts[result.id.hashValue]?.unanswered = 0
    let count = retried[result.id] ?? 0
    if result.failure == .transient, !isEnding, count < settings.retries, let job {
      retried[result.id] = count + 1
      queue.add(job, alone: false)
      return
    }
    self.count(result)
  }

  /// A worker that ends without an answer: its store is tried again in a process of its own.
  private func take(
    _ ending: ChildProcess.Ending,
    foreign: String?,
    of job: StoreJob,
    wasAlone: Bool,
    _ queue: inout StoreQueue
  ) throws(FleetError) {
    var result = StoreResult(job, of: fleet)
    result.time = SystemHost.current.now().timeIntervalSince1970
    let fault = MigrationRecord.Fault(
      message: foreign.map {
        "the worker wrote a line to standard output that is not its result: \($0.prefix(Self.shown))"
      } ?? ending.sentence
    )
    let unanswered = Int(attempts[job.store.id.hashValue]?.unanswered ?? 1)
    let mayTry =
      foreign == nil && ending.isPreemption ? unanswered < Self.maxStarts : !wasAlone
    if isStopping || mayTry {
      result.fail(with: StoreResult.Code.workLeft, fault)
    } else {
      result.fail(with: foreign == nil ? ending.exitCode : StoreResult.Code.failed, fault)
      (result.record.outcome, result.failure) = (.quarantined, .permanent)
    }
    try log.append(result)
    settings.observe(.attempted(result))
    if mayTry, !isEnding {
      queue.add(job, alone: true)
    } else {
      self.count(result)
    }
  }

  private func count(_ result: StoreResult) {
    tally.take(result)
    costs.take(result)
    if let limit = settings.maxFailures {
      let failures = tally.failures - current.failuresBefore
      if !limit.allows(failures, of: current.stores) { isEnding = true }
      if !limit.allows(tally.failures, of: selection.count) { isEnding = true }
    }
    settings.observe(.counted(result, tally))
  }
}

extension ChildProcess.Ending {
  /// Whether somebody else ended the process: a scheduler, or the system for want of memory.
  fileprivate var isPreemption: Bool {
    guard case .signal(let number) = self else { return false }
    return [SIGKILL, SIGTERM, SIGINT, SIGHUP].contains(number)
  }

  /// The exit code, as a shell reports it.
  var exitCode: Int32 {
    switch self {
    case .code(let code): code
    case .signal(let number): 128 + number
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .code(let code): "worker exited with status \(code) without a result"
    case .signal(let number): "signal \(number) ended the worker"
    }
  }
}
