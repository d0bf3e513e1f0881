import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlatform
import BulkReport

/// The page of a fleet, and the pages of its stores that lie beside it.
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
    facts.rows = facts.outcomes.reduce(0) { $0 + $1.rows }
    let left = facts.stores - facts.outcomes.reduce(0) { $0 + $1.stores }
    if left > 0 { facts.outcomes.append(FleetFacts.Group(name: "not begun", stores: left)) }
    facts.times = Self.filled(try table.times())
    facts.versions = try table.groups(by: .version)
    facts.losses = try table.losses()
    facts.reasons = try table.reasons(limit: Self.storeLimit)
    facts.failed = try table.failed(limit: Self.storeLimit).map(withPage)
    facts.slowest = try table.slowest(limit: 20).map(withPage)
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

  private func withPage(_ store: FleetFacts.Store) -> FleetFacts.Store {
    var store = store
    store.page = page(of: store.id)
    return store
  }

  /// The page of a store beside this one, named by its id; `nil` if there is none.
  private func page(of id: String) -> String? {
    let name = "\(id).html"
    guard path != "-", !id.hasPrefix("/"), !id.split(separator: "/").contains("..") else {
      return nil
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: "\(folder)/\(name)") else { return nil }
    return name.utf8.map(Self.encoded).joined()
  }

  /// A byte of a relative reference (RFC 3986, 2.3 and 3.3).
  private static func encoded(_ byte: UInt8) -> String {
    let isPlain =
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte) || "-._~/".utf8.contains(byte)
    guard !isPlain else { return String(decoding: [byte], as: UTF8.self) }
    return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
