import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlatform
import BulkReport

/// The arguments of the commands that read the results of a fleet.
struct FleetResultsArguments: CommandArguments {
  var output = OutputOptions()
  var path = FleetCommand.defaultPath
  var results: [String] = []
  var table: String?
  var manifest: String?
  /// Where the page of the fleet is written.
  var fleetPage: String?
  var failures: Set<StoreResult.Failure> = []

  static let options: [OptionRow<FleetResultsArguments>] = [
    .value("fleet", "FILE", \.path).help("The plan of the fleet."),
    .values("results", "FILE", \.results).help(
      "The results; those of several processes may be given together."
    ).usually(FleetCommand.defaultResults),
  ]

  /// The requests to the runs that append to the results.
  var requests: [ControlReport] {
    (results.isEmpty ? [FleetCommand.defaultResults] : results).compactMap { path in
      FleetControlFile(path).applied.map { ControlReport(of: path, control: $0) }
    }.filter { $0.control != RunControl() }
  }

  /// The results that exist, as a table.
  func resultTable(_ fleet: FleetPlan, _ output: Output) throws(FleetError) -> ResultTable {
    // Before the first run there are none.
    let usual = [FleetCommand.defaultResults].filter(FileManager.default.fileExists(atPath:))
    let paths = results.isEmpty ? usual : results
    let table = try ResultTable(paths, in: table, fleet: fleet.fingerprint)
    for (path, count) in table.skippedLines.sorted(by: { $0.key < $1.key }) {
      output.warning("\(path): lines that are not results of a fleet: \(count)")
    }
    return table
  }
}

enum FleetStatusCommand {
  static let command = Command(table) { arguments, context in
    let fleet = try FleetPlan(contentsOf: arguments.path)
    let status = FleetStatus(
      fleet,
      try arguments.resultTable(fleet, context.output).groups(by: .outcome),
      requests: arguments.requests
    )
    return try context.output.show(status, as: .fleetStatus, status.lines)
  }

  private static let table = OptionTable(
    command: "fleet status",
    summary: "Tell how far a fleet is.",
    explanation: """
      Counts the stores of a fleet by what became of them in their last attempt, and tells what running workers were \
      asked by control.
      """,
    examples: ["bulkmigrate fleet status": "Tell how far the fleet of this folder is."],
    results: [.fleetStatus],
    defaults: FleetResultsArguments(),
    options: FleetResultsArguments.options
  )
}

struct FleetStatus: Encodable {
  let stores: Int
  /// The stores by their last outcome.
  let outcomes: [String: Int64]
  /// The stores without an attempt.
  let left: Int64
  /// The requests to the running workers; absent without any.
  let requests: [ControlReport]?

  init(_ fleet: FleetPlan, _ groups: [FleetSummary.Group], requests: [ControlReport]) {
    self.requests = requests.isEmpty ? nil : requests
    stores = fleet.stores.count
    outcomes = Dictionary(groups.map { ($0.name, $0.stores) }, uniquingKeysWith: +)
    left = max(0, Int64(fleet.stores.count) - groups.reduce(0) { $0 + $1.stores })
  }

  var lines: [String] {
    var table = TextTable(.left("OUTCOME"), .right("STORES"))
    for outcome in MigrationRecord.Outcome.allCases {
      if let count = outcomes[outcome.rawValue] {
        table.append(outcome.rawValue, count.grouped)
      }
    }
    table.append("not begun", left.grouped)
    return table.lines() + (requests ?? []).map(\.line)
  }
}

enum FleetReportCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "fleet report",
    summary: "Tell what became of a fleet: counts, times, failures, losses.",
    explanation: """
      Counts stores, and tells the percentiles of time and memory, the failures by reason, the losses by place, and the \
      stores that took longest. --table keeps the results in a database of SQLite, for questions of your own.
      """,
    examples: [
      "bulkmigrate fleet report": "Tell what became of the fleet of this folder.",
      "bulkmigrate fleet report --page fleet.html": "Show the fleet on a page.",
      "bulkmigrate fleet report --results a.jsonl --results b.jsonl --table results.sqlite":
        "Put the results of two processes into a database.",
    ],
    results: [.fleetReport, .written],
    defaults: FleetResultsArguments(),
    options: FleetResultsArguments.options + [
      .value("table", "FILE", \.table).help("Keep the results in a database of SQLite."),
      .value("page", "FILE", \.fleetPage).help(
        "Write the page of the fleet; - for standard output."
      ),
    ]
  )

  private static func run(
    _ arguments: FleetResultsArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    let fleet = try FleetPlan(contentsOf: arguments.path)
    let table = try arguments.resultTable(fleet, context.output)
    let summary = try table.summary(of: fleet)
    if let path = arguments.fleetPage {
      return try OutputTarget(path, .report)
        .publish(FleetPage(summary).text, ofStore: fleet.manifest, context.output)
    }
    return try context.output.show(summary, as: .fleetReport, summary.lines)
  }
}

enum FleetRetryCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "fleet retry",
    summary: "Make the manifest of the stores that are left.",
    explanation: """
      Writes a manifest of all stores that are neither done nor already were, those that were never begun included. Plan \
      and run it as any other; what an interrupted attempt has done counts.
      """,
    examples: [
      "bulkmigrate fleet retry -o rest.jsonl": "Write down what is left.",
      "bulkmigrate fleet retry --failure transient -o rest.jsonl":
        "Leave out the stores that were never begun, and those that will fail again.",
    ],
    results: [.written],
    defaults: FleetResultsArguments(),
    options: FleetResultsArguments.options + [
      .values("failure", "KIND") { $0.failures.insert(try StoreResult.Failure(parsing: $1)) }.help(
        "Only stores with a failure of this kind: permanent, transient or operator."
      ),
      .value("output", short: "o", "FILE", \.manifest).help("Where to write the manifest."),
    ]
  )

  private static func run(
    _ arguments: FleetResultsArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    guard let path = arguments.manifest else {
      throw UsageError("name the manifest to write with --output")
    }
    try OutputTarget(path, .new).refuse()
    let fleet = try FleetPlan(contentsOf: arguments.path)
    let table = try arguments.resultTable(fleet, context.output)
    var file: OutputLines?
    var count: Int64 = 0
    try FleetList(fleet.listPath(beside: arguments.path)).read { _, store throws(FleetError) in
      let known = try table.outcome(of: store.id)
      if let known, known.0.isEnd { return }
      if !arguments.failures.isEmpty {
        guard let failure = known?.1, arguments.failures.contains(failure) else { return }
      }
      count += 1
      if file == nil { file = try OutputLines(path) }
      try file?.append(store.manifestLine(withSize: fleet.stores.requests != nil))
    }
    try file?.end()
    let isWritten = file != nil
    let line =
      isWritten
      ? "\(count.grouped) of \(fleet.stores.count) stores \(count == 1 ? "is" : "are") left"
      : arguments.failures.isEmpty
        ? "nothing is left, so no manifest is written"
        : "no store has such a failure, so no manifest is written"
    let written = WrittenFile(path: isWritten ? path : nil, stores: count)
    return try context.output.show(written, as: .written, [line])
  }
}
