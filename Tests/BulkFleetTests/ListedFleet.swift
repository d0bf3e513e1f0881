import BulkTestSupport

@testable import BulkFleet

/// A folder with the list of a fleet whose stores need not exist, and workers that are scripts.
struct ListedFleet {
  let directory = TemporaryDirectory()
  let stores: [FleetStore]

  init(_ stores: [FleetStore]) throws {
    self.stores = stores
    let lines = stores.map { $0.line + "\n" }.joined()
    try Data(lines.utf8).write(to: URL(fileURLWithPath: directory.path("list.jsonl")))
  }

  static func stores(_ bytes: [Int64], version: String = "v1", bin: Int = 1) -> [FleetStore] {
    bytes.enumerated().map { index, size in
      FleetStore(
        bin: bin,
        id: "\(version)-\(index)",
        source: "/s/\(index)",
        destination: "/d/\(version)-\(index)",
        bytes: size,
        version: version
      )
    }
  }

  var list: FleetList {
    get throws(FleetError) { try FleetList(directory.path("list.jsonl")) }
  }

  func ids(_ stores: [StoreSelection.Choice]) throws(FleetError) -> [String] {
    let list = try list
    var ids: [String] = []
    for store in stores { ids.append(try list.store(at: store.offset).id) }
    return ids
  }

  static let plan = FleetPlan(
    bulkmigrate: FleetPlan.format,
    fingerprint: "f",
    manifest: "/m",
    now: 0,
    settings: FleetPlan.Settings(),
    inputs: [:],
    stores: FleetPlan.List(file: "list.jsonl", digest: "", count: 0, bytes: 0, bins: 1, seconds: 1),
    versions: [],
    faults: []
  )

  var results: String { directory.path("results.jsonl") }

  /// Runs the fleet with a script of the shell as its workers: how it ended, and what was written of every attempt.
  ///
  /// `$line` is a job, `$id` the id of its store. What is asked of the workers apart from jobs goes to the file
  /// `asked`, a line each.
  func run(
    _ script: String,
    canary: FleetLimit? = nil,
    _ change: (inout FleetRun.Settings) -> Void = { _ in }
  ) throws -> (ending: FleetRun.Ending, tally: FleetTally, attempts: [String], messages: [String]) {
    var settings = FleetRun.Settings()
    change(&settings)
    let line = try StableJSON.line(
      StoreResult(StoreJob(store: stores[0], attempt: 1, verifies: false), of: Self.plan)
    )
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    let others = object.filter { !["outcome", "exitCode", "id"].contains($0.key) }
    let rest = String(decoding: try JSONSerialization.data(withJSONObject: others), as: UTF8.self)
      .dropFirst().replacing("\"", with: "\\\"")
    let loop = """
      answer() {
        echo "{$3\\"outcome\\":\\"$1\\",\\"exitCode\\":$2,\\"id\\":\\"$id\\",\(rest)"
      }
      while read -r line; do
        case "$line" in *'"control"'*) echo "$line" >> '\(directory.path("asked"))'; continue;; esac
        id=$(echo "$line" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
        \(script)
      done
      """
    let run = try FleetRun(
      Self.plan,
      list,
      StoreSelection(list, .all, canary: canary),
      results: results,
      workers: (program: "/bin/sh", arguments: ["-c", loop]),
      settings: settings
    )
    let (ending, tally) = try run.run()
    var attempts: [String] = []
    var messages: [String] = []
    try ResultLog.read(results) {
      attempts.append("\($0.id) \($0.outcome.rawValue) \($0.code)")
      messages += $0.error.map { [$0.message] } ?? []
    }
    return (ending, tally, attempts, messages)
  }
}
