import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlatform
import BulkVersions

/// The arguments of `bulkmigrate fleet run`.
struct FleetRunArguments: CommandArguments {
  var output = OutputOptions()
  var work = FleetWorkArguments()
  var results = FleetCommand.defaultResults
  var workers = 1
  var part = StoreSelection.Part.all
  var binFile: String?
  var canary: FleetLimit?
  var wave: FleetLimit?
  var maxFailures = FleetLimit.share(1)
  var stopCodes: Set<Int32> = []
  var retries = 2
  var maxStarts = 10
  var maxDuration: Duration?
  var diesWithParent = false
}

/// `bulkmigrate fleet run`: migrates the stores of a fleet.
enum FleetRunCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
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
      Example(
        "bulkmigrate fleet run --workers 4 --max-memory 256M",
        "Migrate the fleet that is planned in this folder."
      ),
      Example(
        "bulkmigrate fleet run --canary 1% --max-failures 5%",
        "Migrate and verify one store of a hundred first, and stop where more than five of a hundred fail."
      ),
      Example(
        "bulkmigrate fleet run --bin 3/16 --results results-3.jsonl",
        "Do the third of sixteen parts, as a task of an array."
      ),
    ],
    results: [.fleetRun],
    defaults: FleetRunArguments(),
    options: FleetWorkArguments.options { \.work } + [
      .value("results", "FILE", "Where results are appended.") { $0.results = $1 }
        .usually(FleetCommand.defaultResults),
      .value("workers", "N", "How many processes work at the same time.") {
        $0.workers = try ThreadCount(parsing: $1).threads
      }.usually("1"),
      .value("bin", "K/N", "Only every N-th bin, from the K-th on.") {
        $0.part = try StoreSelection.Part(parsing: $1)
      },
      .value("bin-file", "FILE", "Only the stores of a file, whose lines are of the fleet's list.")
      {
        $0.binFile = $1
      },
      .value(
        "canary",
        "N",
        "How many stores come first, a number or a share (1%), across versions and sizes; they are verified "
          + "before the others begin."
      ) { $0.canary = try FleetLimit(parsing: $1) },
      .value("wave", "N", "How many stores a later wave has; all of them without it.") {
        $0.wave = try FleetLimit(parsing: $1)
      },
      .value(
        "max-failures",
        "N",
        "How many stores may fail, a number or a share (5%), of each wave and of all; beyond it no more are "
          + "started."
      ) { $0.maxFailures = try FleetLimit(parsing: $1) }.usually("100%"),
      .values("stop-on", "CODE", "Start no more once a store fails with this exit code.") {
        guard let code = Int32($1), (1...255).contains(code) else {
          throw UnknownWord($1, among: ["an exit code from 1 to 255"])
        }
        $0.stopCodes.insert(code)
      },
      .value("retries", "N", "How often a store is tried again that may succeed.") {
        guard let count = Int($1), (0...1000).contains(count) else {
          throw UnknownWord($1, among: ["a number from 0 to 1000"])
        }
        $0.retries = count
      }.usually("2"),
      .value(
        "max-starts",
        "N",
        "How often in sequence a store is begun whose worker somebody kills; then it is quarantined."
      ) {
        guard let count = Int($1), (1...1000).contains(count) else {
          throw UnknownWord($1, among: ["a number from 1 to 1000"])
        }
        $0.maxStarts = count
      }.usually("10"),
      .value("max-duration", "TIME", "Stop after so long (15s, 1h30m), with work left.") {
        $0.maxDuration = try Duration(parsing: $1)
      },
      .flag("die-with-parent", "Stop, as by SIGTERM, when the process that started this one ends.")
      {
        $0.diesWithParent = true
      },
    ]
  )

  private static func run(
    _ arguments: FleetRunArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    let fleet = try arguments.work.fleet()
    let list: FleetList
    if let path = arguments.binFile {
      list = try FleetList(path)
    } else {
      let path = fleet.listPath(beside: arguments.work.path)
      try fleet.refuseChangedList(path)
      list = try FleetList(path)
    }
    let selection = try StoreSelection(
      list,
      arguments.part,
      canary: arguments.canary,
      wave: arguments.wave
    )
    guard let program = ChildProcess.ownProgram else {
      throw FleetError.noWorker(reason: "the path of this program is unknown")
    }
    let stopping = Stopping(
      Interruption.watch(),
      after: arguments.maxDuration,
      withParent: arguments.diesWithParent
    )
    var settings = FleetRun.Settings()
    settings.workers = arguments.workers
    settings.maxFailures = arguments.maxFailures
    settings.stopCodes = arguments.stopCodes
    settings.retries = arguments.retries
    settings.maxStarts = arguments.maxStarts
    settings.isStopped = { stopping.request != nil }
    settings.controlChanged = { context.output.note(FleetControlText.text($0)) }
    settings.report = failureReporter(context)
    let run = try FleetRun(
      fleet,
      list,
      selection,
      results: arguments.results,
      workers: WorkerCommand(
        program: program,
        arguments: ["fleet", "work"] + arguments.work.words(workers: arguments.workers)
      ),
      settings: settings
    )
    let (ending, tally) = try run.run()
    let code = ending.exitCode
    if arguments.output.isJSON {
      try context.output.jsonLine(FleetRunReport(tally, code), as: .fleetRun)
    } else {
      try context.output.result(FleetTallyText.line(tally))
    }
    return code
  }

  /// The first failure of each reason is reported as it happens; all of them are in the results.
  private static func failureReporter(
    _ context: CommandContext
  ) -> (StoreResult, FleetTally) -> Void {
    let shown = 20
    var pace = Platform.elapsedTime()
    var told: Set<String> = []
    return { result, tally in
      if let error = result.error, result.failure != nil, told.count < shown,
        told.insert(error.message.replacing(result.source, with: "")).inserted
      {
        context.output.warning("\(result.id): \(error.message)")
      }
      guard pace() >= .seconds(10) else { return }
      pace = Platform.elapsedTime()
      context.output.note(FleetTallyText.line(tally))
    }
  }
}

extension StoreSelection.Part {
  /// Parses `K/N`.
  init(parsing text: String) throws(UnknownWord) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let total = parts[1], total > 0,
      (1...total).contains(number)
    else { throw UnknownWord(text, among: ["K/N with K from 1 to N"]) }
    self = .bins(number: number, of: total)
  }
}

/// The output of `fleet run --json`, on one line.
struct FleetRunReport: Encodable {
  let exitCode: Int32
  let stores: FleetTally

  init(_ tally: FleetTally, _ code: ExitCode) {
    stores = tally
    exitCode = code.rawValue
  }
}

/// A tally as text.
enum FleetTallyText {
  static func line(_ tally: FleetTally) -> String {
    let parts = [
      (tally.done, "done"), (tally.already, "already"), (tally.failed, "failed"),
      (tally.quarantined, "quarantined"), (tally.stopped, "stopped"),
      (tally.overtaken, "overtaken"),
    ]
    let told = parts.filter { $0.0 > 0 }.map { "\(NumberText.grouped(Int64($0.0))) \($0.1)" }
    let total = NumberText.grouped(Int64(tally.total))
    return "\(total) \(tally.total == 1 ? "store" : "stores"): "
      + (told.isEmpty ? "none begun" : told.joined(separator: ", "))
      + (tally.rejected > 0 ? "; \(tally.rejected) left objects out" : "")
  }
}
