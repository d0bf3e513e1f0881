import BulkCoding
import BulkFleet

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
