import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlatform
import BulkReport

/// Where the page of a fleet is written.
struct FleetPageTarget {
  let path: String

  private static let storeLimit = 100

  /// Writes the page, or prints it for `-`.
  func write(_ fleet: FleetPlan, _ table: ResultTable, _ output: Output) throws -> ExitCode {
    let page = FleetPage(try facts(fleet, table)).text
    return try ReportTarget(path: path).publish(page, ofStore: fleet.manifest, besides: nil, output)
  }

  private func facts(_ fleet: FleetPlan, _ table: ResultTable) throws(FleetError) -> FleetFacts {
    var facts = FleetFacts(
      name: URL(fileURLWithPath: fleet.manifest).lastPathComponent,
      stores: Int64(fleet.stores.count)
    )
    facts.outcomes = try table.groups(by: .outcome)
    let left = facts.stores - facts.outcomes.reduce(0) { $0 + $1.stores }
    if left > 0 { facts.outcomes.append(FleetFacts.Group(name: "not begun", stores: left)) }
    facts.times = Self.filled(try table.times())
    facts.versions = try table.groups(by: .version)
    facts.losses = try table.losses()
    facts.reasons = try table.reasons(limit: Self.storeLimit)
    facts.failed = try table.failed(limit: Self.storeLimit)
    facts.slowest = try table.slowest(limit: 20)
    try table.addCourse(to: &facts)
    return facts
  }

  /// Times with those between them that no store took.
  private static func filled(_ times: [(milliseconds: Int64, stores: Int64)]) -> [FleetFacts.Group]
  {
    guard var limit = times.first?.milliseconds, let last = times.last?.milliseconds else {
      return []
    }
    var result: [FleetFacts.Group] = []
    while limit <= last {
      let count = times.first { $0.milliseconds == limit }?.stores ?? 0
      let name = limit < 1000 ? "\(limit) ms" : Duration.milliseconds(limit).short
      result.append(FleetFacts.Group(name: name, stores: count))
      limit *= 2
    }
    return result
  }
}
