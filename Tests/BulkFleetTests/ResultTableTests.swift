import BulkReport
import BulkTestSupport
import Foundation
import Testing

@testable import BulkFleet

@Suite("Tables of results")
struct ResultTableTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A table of attempts, each an id and an outcome.
  private func table(_ attempts: (String, StoreResult.Outcome)...) throws -> ResultTable {
    let path = directory.path("results.jsonl")
    let log = try ResultLog(path)
    for (id, outcome) in attempts {
      let store = FleetStore(bin: 1, id: id, source: "/s", destination: "/d/\(id)")
      let job = StoreJob(store: store, wave: 1, attempt: 1, verifies: false)
      var result = StoreResult(job, of: ListedFleet.plan)
      result.outcome = outcome
      try log.append(result)
    }
    return try ResultTable([path], in: nil, fleet: nil)
  }

  @Test func `the attempt that ended last counts, whatever the order of the files`() throws {
    var paths: [String] = []
    for (place, (outcome, time)) in [(StoreResult.Outcome.done, 20.0), (.failed, 10)].enumerated() {
      let path = directory.path("\(place).jsonl")
      let store = FleetStore(bin: 1, id: "a", source: "/s", destination: "/d/a")
      let job = StoreJob(store: store, wave: 1, attempt: 1, verifies: false)
      var result = StoreResult(job, of: ListedFleet.plan)
      (result.outcome, result.time) = (outcome, time)
      try ResultLog(path).append(result)
      paths.append(path)
    }
    for order in [paths, paths.reversed()] {
      let table = try ResultTable(order, in: nil, fleet: nil)
      #expect(try outcomes(table) == ["done": 1])
      #expect(try table.attempts(at: "a").map(\.outcome) == ["failed", "done"])
      #expect(try table.outcome(of: "a")?.0 == .done)
    }
  }

  @Test func `the last lines of stores are results that tell the same of them`() throws {
    let table = try table(
      ("a", .failed),
      ("b", .done),
      ("c", .stopped),
      ("a", .done),
      ("b", .already),
      ("c", .stopped)
    )
    var lines: [String] = []
    try table.lastLines { lines.append($0) }
    // A line that finds a store as an earlier one left it is none of the last ones.
    let found = try lines.map { line in
      try JSONDecoder().decode(StoreResult.self, from: Data(line.utf8))
    }
    #expect(found.map(\.id) == ["b", "a", "c"])
    #expect(found.map(\.outcome) == [.done, .done, .stopped])
    let path = directory.path("compacted.jsonl")
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path,
      atomically: true,
      encoding: .utf8
    )
    #expect(try outcomes(ResultTable([path], in: nil, fleet: nil)) == outcomes(table))
  }

  private func outcomes(_ table: ResultTable) throws -> [String: Int64] {
    Dictionary(
      try table.groups(by: .outcome).map { ($0.name, $0.stores) },
      uniquingKeysWith: +
    )
  }

  @Test func `a rerun that finds a store made does not change what is told of it`() throws {
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
}
