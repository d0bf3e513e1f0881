import BulkSupport
import BulkExecute
import BulkFleet
import BulkPlan
import BulkMigrate

extension Arguments {
  func runFleet(_ context: CommandContext) throws -> ExitCode {
    var work = work
    work.maxMemory = memoryLimit
    work.threads = threads ?? (workers > 1 ? 1 : nil)
    (work.maxLoss, work.rejects) = (maxLoss, limits().rejects)
    (work.scratch, work.policies) = (scratch, policies)
    let fleet = try work.fleet()
    let listPath = fleet.listPath(beside: work.path)
    try fleet.refuseChangedList(listPath)
    let list = try FleetList(listPath)
    let selection = try StoreSelection(list, part, canary: canary)
    guard let program = ChildProcess.ownProgram else {
      throw Refusal(
        .temporaryFailure,
        "no worker can be started: the path of this program is unknown"
      )
    }
    Interruption.watch()
    let stopping = Stopping(after: maxDuration, withParent: diesWithParent)
    var settings = FleetRun.Settings()
    settings.workers = workers
    settings.maxFailures = maxFailures
    settings.retries = retries
    settings.isStopped = { stopping.request != nil }
    let output = context.output
    let hasEvents = output.isJSON && !output.isQuiet
    let progress = output.progress()
    defer { progress.finish() }
    let write = { if hasEvents { output.write($0, $1) } }
    settings.observe = Self.reporter(output, progress, write)
    write(.begin, ["fleet": fleet.fingerprint, "stores": selection.count])
    let run = try FleetRun(
      fleet,
      list,
      selection,
      results: results.first ?? Self.usualResults,
      workers: (program: program, arguments: ["fleet", "work", try StableJSON.line(work)]),
      settings: settings
    )
    let (ending, tally) = try run.run()
    progress.finish()
    let code = ending.exitCode
    if context.output.isJSON {
      let report = Members(["exitCode": code.rawValue, "stores": tally])
      try context.output.jsonLine(report, as: .fleetRun)
    } else {
      try context.output.result(tally.line)
    }
    if ending == .tooManyFailures {
      let failures = tally.failures.phrase("failure")
      context.output.warning(
        tally.left > 0
          ? "stopped after \(failures), by --canary or --max-failures; not begun: \(tally.left)"
          : "\(failures), more than --canary or --max-failures allows"
      )
    }
    return code
  }

  /// The first failure of each reason is reported as it happens; all are listed in the results.
  private static func reporter(
    _ output: Output,
    _ progress: TerminalProgress,
    _ write: @escaping (EventKind, [String: (any Encodable)?]) -> Void
  ) -> (FleetEvent) -> Void {
    let shown = 20
    var told: Set<String> = []
    return { event in
      switch event {
      case .requested(let control):
        write(.request, ["message": control.text])
        progress.stepAside { output.note(control.text) }
      case .began(let job): write(.store, ["id": job.store.id, "attempt": job.attempt])
      case .attempted(let result):
        write(
          .result,
          [
            "id": result.id, "attempt": result.attempt, "outcome": result.outcome.rawValue,
            "exitCode": result.code, "rows": result.record.rowsOfAttempt,
            "seconds": result.record.wallSeconds, "memory": result.record.peakMemoryBytes,
            "message": result.error?.message,
          ]
        )
      case .counted(let result, let tally):
        if let error = result.error, result.failure != nil, told.count < shown,
          told.insert(error.message.replacing(result.source, with: "")).inserted
        {
          progress.stepAside { output.warning("\(result.id): \(error.message)") }
        }
        progress.update(TaskProgress(tally))
      }
    }
  }
}

extension StoreSelection.Part: OptionValue {
  init(parsing text: String) throws(UsageError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let total = parts[1], total > 0,
      (1...total).contains(number)
    else { throw UsageError(text, among: ["K/N with K from 1 to N"]) }
    self = .bins(number: number, of: total)
  }
}

extension FleetTally {
  fileprivate var line: String {
    let parts = [
      (done, "done"), (already, "already"), (failed, "failed"), (quarantined, "quarantined"),
      (stopped, "stopped"), (overtaken, "overtaken"),
    ]
    let counts = parts.filter { $0.0 > 0 }.map { "\(Int64($0.0).grouped) \($0.1)" }
    if total == 0 { return "no store is left to take" }
    return "\(total.phrase("store")): "
      + (counts.isEmpty ? "none begun" : counts.joined(separator: ", "))
      + (rejected > 0 ? "; \(rejected) left objects out" : "")
  }
}

extension Arguments {
  mutating func take(_ work: String) throws {
    self.work = try JSONDecoder().decode(FleetWork.self, from: Data(work.utf8))
    policies = self.work.policies
  }

  /// A worker of `fleet run`, which reads jobs from standard input and writes results to standard output.
  func workOnFleet(_ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident ?? .mebibytes(24)
    Interruption.watch()
    let stopping = Stopping(withParent: true)
    var migration = settings(context, work.maxMemory, base)
    migration.threads = work.threads ?? migration.threads
    migration.lockWait = lockWait ?? .seconds(10)
    migration.rejects = work.rejects
    var settings = StoreWorker.Settings(migration) { ExitCode(of: $0).rawValue }
    settings.verification = work.verification
    let orders = WorkerOrders()
    settings.stopRequest = {
      orders.wait { stopping.request != nil }
      return stopping.request
    }
    let worker = try StoreWorker(work.fleet(), settings, staging: work.staging())
    while let job = orders.nextJob({ stopping.request != nil }) {
      try context.output.result(try StableJSON.line(worker.run(job)))
    }
    return .done
  }
}
