import BulkMigrate
import BulkTestSupport
import Testing

@testable import BulkFleet

@Suite("Results of fleets", .tags(.promise3, .promise5, .promise6, .promise7))
struct ResultTableTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path("results.jsonl") }

  private func append(
    _ attempts: [(String, MigrationRecord.Outcome)],
    to path: String,
    _ change: (inout StoreResult) -> Void = { _ in }
  ) throws {
    let log = try ResultLog(path)
    for (id, outcome) in attempts {
      let store = FleetStore(bin: 1, id: id, source: "/s", destination: "/d/\(id)")
      var result = StoreResult(
        StoreJob(store: store, attempt: 1, verifies: false),
        of: ListedFleet.plan
      )
      result.record.outcome = outcome
      change(&result)
      try log.append(result)
    }
  }

  /// A table of attempts, each an id and an outcome.
  private func table(_ attempts: (String, MigrationRecord.Outcome)...) throws -> ResultTable {
    try append(attempts, to: path)
    return try ResultTable([path], in: nil, fleet: nil)
  }

  private func outcomes(_ table: ResultTable) throws -> [String: Int64] {
    Dictionary(
      try table.groups(by: .outcome).map { ($0.name, $0.stores) },
      uniquingKeysWith: +
    )
  }

  @Test func `the attempt that ended last counts, whatever the order of the files`() throws {
    let paths = ["0.jsonl", "1.jsonl"].map(directory.path)
    try append([("a", .done)], to: paths[0]) { $0.time = 20 }
    try append([("a", .failed)], to: paths[1]) { $0.time = 10 }
    for order in [paths, paths.reversed()] {
      let table = try ResultTable(order, in: nil, fleet: nil)
      #expect(try outcomes(table) == ["done": 1])
      #expect(try table.outcome(of: "a")?.0 == .done)
    }
  }

  @Test func `a rerun that finds a store made does not change its result`() throws {
    let table = try table(
      ("a", .done),
      ("b", .done),
      ("a", .already),
      ("b", .already),
      ("a", .already)
    )
    #expect(try outcomes(table) == ["done": 2])
    #expect(try table.slowest(limit: 9).map(\.attempts) == [1, 1])
  }

  @Test func `a store that is found made after an attempt that nobody heard of is`() throws {
    let table = try table(
      ("a", .stopped),
      ("a", .already),
      ("b", .done),
      ("b", .failed),
      ("b", .already),
      ("c", .already),
      ("c", .already)
    )
    #expect(try outcomes(table) == ["already": 3])
    #expect(
      try table.slowest(limit: 9).map { "\($0.id) \($0.attempts)" }.sorted()
        == ["a 2", "b 3", "c 1"]
    )
  }

  @Test(arguments: [
    #""wallSeconds":1e300"#, #""wallSeconds":1e10"#, #""processorSeconds":-1"#, #""time":1e300"#,
    #""attempt":-1"#, #""exitCode":256"#, #""rows":9223372036854775807"#, #""sourceBytes":-1"#,
    #""losses":[{"step":1,"kind":"objects","owner":"A","count":281474976710657,"cause":"removed","#
      + #""reason":""}]"#, #""outcome":"some"#,
  ])
  func `a line with numbers that no attempt has is not a result`(member: String) throws {
    try append([("a", .done), ("b", .done)], to: path)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let object = try JSONSerialization.jsonObject(with: Data(lines[1].utf8)) as? [String: Any]
    let name = try #require(member.firstMatch(of: /"([a-zA-Z]+)"/)).1
    let others = try #require(object).filter { $0.key != name }
    let rest = String(decoding: try JSONSerialization.data(withJSONObject: others), as: UTF8.self)
    let text = "\(lines[0])\n{\(member),\(rest.dropFirst())\n"
    try Files.write(Array(text.utf8), to: path)
    let table = try ResultTable([path], in: nil, fleet: nil)
    #expect(try outcomes(table) == ["done": 1])
    #expect(table.skippedLines == [path: 1])
  }

  @Test(arguments: ["", ".starts"])
  func `results are added to results alone, and are for their owner`(suffix: String) throws {
    let name = path + suffix
    try Files.write(Array("mine".utf8), to: name)
    #expect(throws: FleetError.self) { try ResultLog(path) }
    #expect(try Files.read(name) == Array("mine".utf8))
    try FileManager.default.removeItem(atPath: name)
    try Files.write([], to: directory.path("victim"))
    try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: "victim")
    let error = #expect(throws: FleetError.self) { try ResultLog(path) }
    #expect(error?.description.contains("symbolic link") == true)
    try FileManager.default.removeItem(atPath: name)
    #expect(mkfifo(name, 0o600) == 0)
    #expect(throws: FleetError.self) { try ResultLog(path) }
    try FileManager.default.removeItem(atPath: name)
    // A line that a kill cut off is removed.
    try Files.write(Array("{\"id\":\"s1\",\"outc".utf8), to: path)
    try append([("a", .done)], to: path)
    #expect(try outcomes(ResultTable([path], in: nil, fleet: nil)) == ["done": 1])
    try FileManager.default.removeItem(atPath: path)
    try append([("a", .done)], to: path)
    let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }
}
