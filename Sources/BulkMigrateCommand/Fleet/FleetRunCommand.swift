import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlatform

struct FleetRunCommand: ParsableCommand {
  var output = OutputOptions()
  var work = FleetWorkCommand()
  var results = FleetCommand.defaultResults
  var workers = 1
  var part = StoreSelection.Part.all
  var canary: FleetLimit?
  var maxFailures: FleetLimit?
  var retries = 2
  var maxDuration: Duration?
  var diesWithParent = false

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
    results: [.fleetEvent, .fleetRun],
    defaults: FleetRunCommand(),
    options: FleetWorkCommand.options.within(\FleetRunCommand.work) + [
      .value("results", "FILE", "Where results are appended.") { $0.results = $1 }
        .usually(FleetCommand.defaultResults),
      .value("workers", "N", "How many processes work at the same time.") {
        $0.workers = try Int(parsing: $1, in: 1...1024)
      }.usually("1"),
      .value("bin", "K/N", "Only every N-th bin, from the K-th on.") {
        $0.part = try StoreSelection.Part(parsing: $1)
      },
      .value(
        "canary",
        "N",
        "How many stores come first, a number or a share (1%), across versions and sizes; they are verified "
          + "before the others begin. If one fails, and --max-failures does not allow it, no others begin."
      ) { $0.canary = try FleetLimit(parsing: $1) },
      .value(
        "max-failures",
        "N",
        "How many stores may fail, a number or a share (5%), of the canaries and of all; beyond it no more are "
          + "started."
      ) { $0.maxFailures = try FleetLimit(parsing: $1) }.usually("all of them, but no canary"),
      .value("retries", "N", "How often a store is tried again that may succeed.") {
        $0.retries = try Int(parsing: $1, in: 0...1000)
      }.usually("2"),
      .value("max-duration", "TIME", "Stop after so long (15s, 1h30m), with work left.") {
        $0.maxDuration = try Duration(parsing: $1)
      },
      .flag("die-with-parent", "Stop, as by SIGTERM, when the process that started this one ends.")
      {
        $0.diesWithParent = true
      },
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
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
    let stopping = Stopping(Interruption.watch(), after: maxDuration, withParent: diesWithParent)
    var settings = FleetRun.Settings()
    settings.workers = workers
    settings.maxFailures = maxFailures
    settings.retries = retries
    settings.isStopped = { stopping.request != nil }
    let output = context.output
    let log = output.isJSON && !output.isQuiet ? FleetEventLog(output: output) : nil
    let report = Self.failureReporter(context.output)
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
      workers: (program: program, arguments: ["fleet", "work"] + work.words(workers: workers)),
      settings: settings
    )
    let (ending, tally) = try run.run()
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
  private static func failureReporter(_ output: Output) -> (FleetEvent) -> Void {
    let shown = 20
    var pace = Platform.elapsedTime()
    var told: Set<String> = []
    return { event in
      if case .requested(let control) = event { output.note(control.text) }
      guard case .counted(let result, let tally) = event else { return }
      if let error = result.error, result.failure != nil, told.count < shown,
        told.insert(error.message.replacing(result.source, with: "")).inserted
      {
        output.warning("\(result.id): \(error.message)")
      }
      guard pace() >= .seconds(10) else { return }
      pace = Platform.elapsedTime()
      output.note(tally.line)
    }
  }
}

extension StoreSelection.Part {
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
