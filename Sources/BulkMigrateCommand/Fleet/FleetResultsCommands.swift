import BulkSupport
import BulkExecute
import BulkFleet
import BulkMigrate

extension Arguments {
  private var requests: [ControlReport] {
    (results.isEmpty ? [Self.usualResults] : results).compactMap { path in
      FleetControlFile(path).applied.flatMap {
        $0 == RunControl() ? nil : ControlReport(of: path, control: $0)
      }
    }
  }

  private func resultTable(_ fleet: FleetPlan, _ output: Output) throws(FleetError) -> ResultTable {
    // Before the first run there are none.
    let usual = [Self.usualResults].filter(FileManager.default.fileExists(atPath:))
    let paths = results.isEmpty ? usual : results
    let table = try ResultTable(paths, in: table, fleet: fleet.fingerprint)
    for (path, count) in table.skippedLines.sorted(by: { $0.key < $1.key }) {
      output.warning("\(path): lines that are not results of a fleet: \(count)")
    }
    return table
  }

  func showFleet(_ context: CommandContext) throws -> ExitCode {
    let fleet = try FleetPlan(contentsOf: work.path)
    let status = FleetStatus(
      fleet,
      try resultTable(fleet, context.output).groups(by: .outcome),
      requests: requests
    )
    return try context.output.show(status, as: .fleetStatus, status.lines)
  }

  func reportFleet(_ context: CommandContext) throws -> ExitCode {
    let fleet = try FleetPlan(contentsOf: work.path)
    let table = try resultTable(fleet, context.output)
    let summary = try table.summary(of: fleet)
    if let path = fleetPage {
      return try OutputTarget(path, .report)
        .publish(FleetPage(summary).text, ofStore: fleet.manifest, context.output)
    }
    return try context.output.show(summary, as: .fleetReport, summary.lines)
  }

  func retryFleet(_ context: CommandContext) throws -> ExitCode {
    guard let path = outputPath else {
      throw UsageError("name the manifest to write with --output")
    }
    try OutputTarget(path, .new).refuse()
    let fleet = try FleetPlan(contentsOf: work.path)
    let listPath = fleet.listPath(beside: work.path)
    try fleet.refuseChangedList(listPath)
    let table = try resultTable(fleet, context.output)
    var file: OutputLines?
    var count: Int64 = 0
    try FleetList(listPath).read { _, store throws(FleetError) in
      let known = try table.outcome(of: store.id)
      if let known, known.0.isEnd { return }
      if !failures.isEmpty {
        guard let failure = known?.1, failures.contains(failure) else { return }
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
      : failures.isEmpty
        ? "nothing is left, so no manifest is written"
        : "no store has such a failure, so no manifest is written"
    let written = Members(["path": isWritten ? path : nil, "stores": count])
    return try context.output.show(written, as: .written, [line])
  }
}

struct FleetStatus: Encodable {
  let stores: Int
  let outcomes: [String: Int64]
  let left: Int64
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

extension FleetSummary {
  var lines: [String] {
    var page = Document(isMarkdown: false)
    page.addLines(groups("OUTCOME", outcomes))
    page.addLines(groups("VERSION", versions))
    if classes.contains(where: { !$0.name.isEmpty }) { page.addLines(groups("CLASS", classes)) }
    if wallSeconds != nil { page.addLines(measures) }
    for reason in failures {
      page.addItem(
        "\(reason.stores.phrase("store")) failed with \(reason.code) (\(reason.failure)), as \(reason.example):",
        reason.reason.split(separator: "\n").map(String.init)
      )
    }
    if !losses.isEmpty {
      page.addLines(
        losses.table(
          .right("LOST") { $0.rows.grouped },
          .left("OF") { $0.name },
          .right("STORES") { $0.stores.grouped }
        )
      )
    }
    if !slowest.isEmpty { page.addLines(slowestLines) }
    return page.lines
  }

  private func groups(_ title: String, _ groups: [FleetSummary.Group]) -> [String] {
    groups.table(
      .left(title) { $0.name.isEmpty ? "unknown" : $0.name },
      .right("STORES") { $0.stores.grouped },
      .right("ROWS") { $0.rows.grouped },
      .right("BYTES") { "\(ByteCount(bytes: $0.bytes))" }
    )
  }

  private var measures: [String] {
    let size = { (bytes: Double) in "\(ByteCount(bytes: Int64(bytes)))" }
    let rows: [(String, Percentiles?, (Double) -> String)] = [
      ("time", wallSeconds, Self.seconds), ("processor", processorSeconds, Self.seconds),
      ("memory", peakMemoryBytes, size),
    ]
    return rows.compactMap { name, found, text in found.map { (name, $0, text) } }.table(
      .left("OF A STORE") { $0.0 },
      .right("HALF NEED") { $0.2($0.1.p50) },
      .right("90 %") { $0.2($0.1.p90) },
      .right("99 %") { $0.2($0.1.p99) },
      .right("AT MOST") { $0.2($0.1.most) }
    )
  }

  private static func seconds(_ value: Double) -> String {
    value < 1 ? "\(Int((value * 1000).rounded()))ms" : Duration.seconds(value).short
  }

  private var slowestLines: [String] {
    slowest.prefix(5).table(
      .left("SLOWEST") { $0.id },
      .right("TIME") { Self.seconds($0.seconds) },
      .right("MEMORY") { "\(ByteCount(bytes: $0.memoryBytes))" },
      .right("BYTES") { "\(ByteCount(bytes: $0.bytes))" },
      .right("ATTEMPTS") { "\($0.attempts)" }
    )
  }
}
