import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlatform

struct FleetRunCommand: ParsableCommand, PolicyArguments {
  var output = OutputOptions()
  var work = FleetWork()
  var running = MigrationCommand()
  var results = FleetCommand.defaultResults
  var workers = 1
  var part = StoreSelection.Part.all
  var canary: FleetLimit?
  var maxFailures: FleetLimit?
  var retries = 2
  var policies: PolicyOptions {
    get { running.policies }
    set { running.policies = newValue }
  }

  static let table = OptionTable(
    command: "fleet run",
    summary: "Migrate every store of a fleet exactly once.",
    explanation: """
      Migrates the stores with worker processes, each within the memory limit. Whoever ends when, run it again: what is \
      done is found done, what was begun is resumed. A store that crashes its worker is tried once more in a process of \
      its own, and then quarantined, as are stores that cannot be migrated. Results are appended to a file, a line for \
      every attempt. Exit codes: 0 all done; 3 some failed, within --max-failures, or left objects out; 1 more failed; \
      4 verification alone failed; 6 work is left.
      """,
    examples: [
      "bulkmigrate fleet run --workers 4 --max-memory 256M":
        "Migrate the fleet that is planned in this folder.",
      "bulkmigrate fleet run --canary 1% --max-failures 5%":
        "Migrate and verify one store of a hundred first, and stop where more than five of a hundred fail.",
      "bulkmigrate fleet run --bin 3/16 --results results-3.jsonl":
        "Do the third of sixteen parts, as a task of an array.",
    ],
    results: [.record, .fleetRun],
    defaults: FleetRunCommand(),
    options: FleetWork.options.within(\FleetRunCommand.work) + [
      .value("results", "FILE", \.results).help("Where results are appended."),
      .value("workers", "N", in: 1...1024, \.workers).help(
        "How many processes work at the same time."
      ),
      .value("bin", "K/N", \.part).help("Only every N-th bin, from the K-th on."),
      .value("canary", "N", \.canary).help(
        "How many stores come first, a number or a share (1%), across versions and sizes; they are verified "
          + "before the others begin. If one fails, and --max-failures does not allow it, no others begin."
      ),
      .value("max-failures", "N", \.maxFailures).help(
        "How many stores may fail, a number or a share (5%), of the canaries and of all; beyond it no more are "
          + "started."
      ).usually("all of them, but no canary"),
      .value("retries", "N", in: 0...1000, \.retries).help(
        "How often a store is tried again that may succeed."
      ),
    ],
    shared: [
      SharedOptions(
        of: "run",
        MigrationCommand.options.named(
          "policy",
          "max-memory",
          "max-loss",
          "on-error",
          "max-rejects",
          "dependants",
          "max-duration",
          "die-with-parent"
        ).within(\FleetRunCommand.running)
      )
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    var work = work
    work.maxMemory = running.maxMemory ?? work.maxMemory
    work.threads = context.rare.threads ?? (workers > 1 ? 1 : nil)
    (work.maxLoss, work.rejects) = (running.maxLoss, running.limits().rejects)
    work.policies = running.policies.commands
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
    let stopping = Stopping(
      Interruption.watch(),
      after: running.maxDuration,
      withParent: running.diesWithParent
    )
    var settings = FleetRun.Settings()
    settings.workers = workers
    settings.maxFailures = maxFailures
    settings.retries = retries
    settings.isStopped = { stopping.request != nil }
    let output = context.output
    let log = output.isJSON && !output.isQuiet ? FleetEventLog(output: output) : nil
    let progress = output.progress()
    defer { progress.finish() }
    let report = Self.reporter(output, progress)
    settings.observe = { event in
      log?.note(event)
      report(event)
    }
    log?.begin(fleet, stores: selection.count)
    let run = try FleetRun(
      fleet,
      list,
      selection,
      results: results,
      workers: (program: program, arguments: ["fleet", "work", try StableJSON.line(work)]),
      settings: settings
    )
    let (ending, tally) = try run.run()
    progress.finish()
    let code = ending.exitCode
    if context.output.isJSON {
      let report = FleetRunReport(exitCode: code.rawValue, stores: tally)
      try context.output.jsonLine(report, as: .fleetRun)
    } else {
      try context.output.result(tally.line)
    }
    if ending == .tooManyFailures {
      let failures = "\(tally.failures) \(tally.failures == 1 ? "failure" : "failures")"
      context.output.warning(
        "stopped after \(failures), by --canary or --max-failures; not begun: \(tally.left)"
      )
    }
    return code
  }

  /// The first failure of each reason is reported as it happens; all of them are in the results.
  private static func reporter(
    _ output: Output,
    _ progress: TerminalProgress
  ) -> (FleetEvent) -> Void {
    let shown = 20
    var told: Set<String> = []
    return { event in
      if case .requested(let control) = event {
        progress.stepAside { output.note(control.text) }
      }
      guard case .counted(let result, let tally) = event else { return }
      if let error = result.error, result.failure != nil, told.count < shown,
        told.insert(error.message.replacing(result.source, with: "")).inserted
      {
        progress.stepAside { output.warning("\(result.id): \(error.message)") }
      }
      progress.update(TaskProgress(tally))
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

/// The output of `fleet run --json`, on one line.
struct FleetRunReport: Encodable {
  let exitCode: Int32
  let stores: FleetTally
}

extension FleetTally {
  /// The number of stores by their outcomes, as a sentence.
  fileprivate var line: String {
    let parts = [
      (done, "done"), (already, "already"), (failed, "failed"), (quarantined, "quarantined"),
      (stopped, "stopped"), (overtaken, "overtaken"),
    ]
    let counts = parts.filter { $0.0 > 0 }.map { "\(Int64($0.0).grouped) \($0.1)" }
    if total == 0 { return "no store is left to take" }
    return "\(Int64(total).grouped) \(total == 1 ? "store" : "stores"): "
      + (counts.isEmpty ? "none begun" : counts.joined(separator: ", "))
      + (rejected > 0 ? "; \(rejected) left objects out" : "")
  }
}
