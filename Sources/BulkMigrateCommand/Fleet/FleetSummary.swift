import BulkCoding
import BulkFleet
import BulkExecute
import BulkPlan
import BulkPlatform
import BulkReport

/// The output of `fleet report`.
struct FleetSummary: Encodable {
  let stores: Int
  let outcomes: [ResultTable.Group]
  let versions: [ResultTable.Group]
  let classes: [ResultTable.Group]
  let wallSeconds: ResultTable.Percentiles?
  let processorSeconds: ResultTable.Percentiles?
  let peakMemoryBytes: ResultTable.Percentiles?
  let failures: [ResultTable.Reason]
  let losses: [ResultTable.Group]
  let slowest: [ResultTable.Store]

  /// The reasons and stores that are shown.
  private static let limit = 20

  init(_ fleet: FleetPlan, _ table: ResultTable) throws(FleetError) {
    stores = fleet.stores.count
    outcomes = try table.groups(by: .outcome)
    versions = try table.groups(by: .version)
    classes = try table.groups(by: .storeClass)
    wallSeconds = try table.percentiles(of: .wallSeconds)
    processorSeconds = try table.percentiles(of: .processorSeconds)
    peakMemoryBytes = try table.percentiles(of: .peakMemoryBytes)
    failures = try table.reasons(limit: Self.limit)
    losses = try table.losses()
    slowest = try table.slowest(limit: Self.limit)
  }

  var lines: [String] {
    groups("OUTCOME", outcomes) + [""] + groups("VERSION", versions)
      + (classes.contains { !$0.name.isEmpty } ? [""] + groups("CLASS", classes) : [])
      + measures + reasons + lossLines + slowestLines
  }

  private func groups(_ title: String, _ groups: [ResultTable.Group]) -> [String] {
    var table = TextTable(.left(title), .right("STORES"), .right("ROWS"), .right("BYTES"))
    for group in groups {
      table.append(
        group.name.isEmpty ? "unknown" : group.name,
        NumberText.grouped(group.stores),
        NumberText.grouped(group.rows),
        "\(ByteCount(bytes: group.bytes))"
      )
    }
    return table.lines()
  }

  private var measures: [String] {
    var table = TextTable(
      .left("OF A STORE"),
      .right("HALF NEED"),
      .right("90 %"),
      .right("99 %"),
      .right("AT MOST")
    )
    if let time = wallSeconds { add("time", time, to: &table, Self.seconds) }
    if let time = processorSeconds { add("processor", time, to: &table, Self.seconds) }
    if let memory = peakMemoryBytes {
      add("memory", memory, to: &table) { "\(ByteCount(bytes: Int64($0)))" }
    }
    guard wallSeconds != nil else { return [] }
    return [""] + table.lines()
  }

  private static func seconds(_ value: Double) -> String {
    value < 1 ? "\(Int((value * 1000).rounded()))ms" : NumberText.short(.seconds(value))
  }

  private func add(
    _ name: String,
    _ found: ResultTable.Percentiles,
    to table: inout TextTable,
    _ text: (Double) -> String
  ) {
    table.append(name, text(found.p50), text(found.p90), text(found.p99), text(found.most))
  }

  private var reasons: [String] {
    failures.flatMap { reason in
      let count = reason.stores == 1 ? "1 store" : "\(NumberText.grouped(reason.stores)) stores"
      return ["", "\(count) failed with \(reason.code) (\(reason.failure)), as \(reason.example):"]
        + reason.reason.split(separator: "\n").map { "  \($0)" }
    }
  }

  private var lossLines: [String] {
    guard !losses.isEmpty else { return [] }
    var table = TextTable(.right("LOST"), .left("OF"), .right("STORES"))
    for loss in losses {
      table.append(NumberText.grouped(loss.rows), loss.name, NumberText.grouped(loss.stores))
    }
    return [""] + table.lines()
  }

  private var slowestLines: [String] {
    var table = TextTable(
      .left("SLOWEST"),
      .right("TIME"),
      .right("MEMORY"),
      .right("BYTES"),
      .right("ATTEMPTS")
    )
    for store in slowest.prefix(5) {
      table.append(
        store.id,
        Self.seconds(store.seconds),
        "\(ByteCount(bytes: store.memoryBytes))",
        "\(ByteCount(bytes: store.bytes))",
        "\(store.attempts)"
      )
    }
    return slowest.isEmpty ? [] : [""] + table.lines()
  }
}

/// The page of one store of a fleet, from what its state directory keeps.
struct StorePage {
  private let id: String
  private let fleet: FleetPlan
  private let arguments: FleetResultsArguments

  init(_ id: String, _ fleet: FleetPlan, _ arguments: FleetResultsArguments) {
    (self.id, self.fleet, self.arguments) = (id, fleet, arguments)
  }

  /// Writes the page.
  ///
  /// - Throws: ``UnknownStore`` if the fleet has no such store, or none that was begun.
  func write(_ context: CommandContext) throws -> ExitCode {
    let store = try store()
    let location = StateLocation(destination: store.destination, stateDirectory: nil)
    guard let plan = MigrationStatus(location).plan else {
      throw UnknownStore(
        description: "\(id) was not begun, or nothing is kept of it in \(location.path)"
      )
    }
    let facts = ReportFacts(of: MigrationStatus(location, of: plan), plan)
    for warning in facts.warnings { context.output.warning(warning) }
    guard arguments.pagePath != "-" else {
      try context.output.result(ReportPage(facts).text)
      return .done
    }
    let target = ReportTarget(arguments.pagePath)
    try target.refuse(besides: plan)
    try target.write(facts)
    return try WrittenFile(path: arguments.pagePath).report("report", context.output)
  }

  private func store() throws -> FleetStore {
    var found: FleetStore?
    try FleetList(fleet.listPath(beside: arguments.path)).read { _, store throws(FleetError) in
      if store.id == id { found = store }
    }
    guard let found else { throw UnknownStore(description: "the fleet has no store \(id)") }
    return found
  }

  /// There is nothing to report of a store.
  private struct UnknownStore: ErrorWithExitCode, CustomStringConvertible {
    let exitCode = ExitCode.noInput
    let description: String
  }
}
