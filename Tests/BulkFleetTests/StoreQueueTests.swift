import BulkTestSupport
import Foundation
import Testing

@testable import BulkFleet

/// The order in which stores are given out, and what processes that share a queue leave to each other.
@Suite("Queues of stores")
struct StoreQueueTests {
  private static let megabyte: Int64 = 1_000_000

  private func result(_ version: String, _ bytes: Int64, _ seconds: Double) -> StoreResult {
    let store = ListedFleet.stores([bytes], version: version)[0]
    let job = StoreJob(store: store, wave: 1, attempt: 1, verifies: false)
    var result = StoreResult(job, of: ListedFleet.plan)
    result.finish(as: .done)
    result.wallSeconds = seconds
    return result
  }

  private func order(
    _ stores: [FleetStore],
    _ costs: MeasuredCosts,
    sharing shared: BinQueue? = nil
  ) throws -> [String] {
    let fleet = try ListedFleet(stores)
    let selection = try StoreSelection(fleet.list, .all, canary: nil, wave: nil)
    var queue = StoreQueue(
      try fleet.list,
      selection.waves[0],
      ofVersions: selection.versions,
      sharing: shared
    )
    var ids: [String] = []
    try queue.takeBin(costs)
    while let store = try queue.next(costs)?.store {
      ids.append(store.id)
      try queue.takeBin(costs)
    }
    #expect(queue.isEmpty)
    return ids
  }

  private func plan(_ fingerprint: String, bins: Int) -> FleetPlan {
    var plan = ListedFleet.plan
    (plan.fingerprint, plan.stores.bins) = (fingerprint, bins)
    return plan
  }

  @Test func `stores come in the order of the list until some are done`() throws {
    let stores =
      ListedFleet.stores([9, 7, 7, 1].map { $0 * Self.megabyte })
      + ListedFleet.stores([1, 1].map { $0 * Self.megabyte }, version: "v2")
    #expect(
      try order(stores, MeasuredCosts()) == ["v1-0", "v1-1", "v1-2", "v1-3", "v2-0", "v2-1"]
    )
  }

  @Test func `stores of a version that takes long come before larger ones`() throws {
    var costs = MeasuredCosts()
    // 1 MB is planned with 0.1 s: v2 takes six times as long, and v1 half.
    costs.take(result("v1", Self.megabyte, 0.05))
    costs.take(result("v2", Self.megabyte, 0.6))
    var again = result("v1", Self.megabyte, 9)
    again.finish(as: .already)
    costs.take(again)
    let stores =
      ListedFleet.stores([19, 9, 7].map { $0 * Self.megabyte })
      + ListedFleet.stores([1, 0].map { $0 * Self.megabyte }, version: "v2")
    // Seconds: 0.5, 0.25, 0.2; 0.6, 0.3.
    #expect(try order(stores, costs) == ["v2-0", "v1-0", "v2-1", "v1-1", "v1-2"])
    // A version that was not measured is foreseen by all: 0.65 of 0.2.
    #expect(abs(costs.seconds(0.1, of: "v3") - 0.325) < 0.000_001)
  }

  @Test(.enabled(if: Python.isPresent, "skips because there is no python3"))
  func `whoever helps begins with the store to which the owner comes last`() throws {
    let directory = try TemporaryDirectory()
    let stores =
      ListedFleet.stores([10, 8, 6].map { $0 * Self.megabyte })
      + ListedFleet.stores([9, 7].map { $0 * Self.megabyte }, version: "v2")
    let own = ["v1-0", "v2-0", "v1-1", "v2-1", "v1-2"]
    #expect(try order(stores, MeasuredCosts()) == own)
    let path = directory.path("queue")
    let queue = try BinQueue(path, of: plan("f", bins: 1))
    // Another process locks the only bin.
    let script = """
      import fcntl, os, sys
      file = open(sys.argv[1], "r+b")
      fcntl.lockf(file, fcntl.LOCK_EX, 1, 2)
      os.write(1, b"locked")
      sys.stdin.read()
      """
    let holder = Process()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    holder.arguments = ["python3", "-c", script, path]
    let (input, output) = (Pipe(), Pipe())
    (holder.standardInput, holder.standardOutput) = (input, output)
    try holder.run()
    defer {
      try? input.fileHandleForWriting.close()
      holder.waitUntilExit()
    }
    #expect(output.fileHandleForReading.availableData == Data("locked".utf8))
    #expect(try order(stores, MeasuredCosts(), sharing: queue) == own.reversed())
    let staged = try BinQueue(path, of: plan("f", bins: 1), helps: false)
    #expect(try order(stores, MeasuredCosts(), sharing: staged) == [])
  }

  @Test func `bins come by what their stores take, and those that ended not at all`() throws {
    let directory = try TemporaryDirectory()
    var costs = MeasuredCosts()
    costs.take(result("v2", Self.megabyte, 0.6))
    costs.take(result("v1", Self.megabyte, 0.1))
    let stores =
      ListedFleet.stores([9, 8].map { $0 * Self.megabyte }, bin: 1)
      + ListedFleet.stores([6].map { $0 * Self.megabyte }, version: "v2", bin: 2)
      + ListedFleet.stores([1].map { $0 * Self.megabyte }, version: "v3", bin: 3)
    let queue = try BinQueue(directory.path("queue"), of: plan("f", bins: 3))
    #expect(try queue.take(3, stores: 1) == .taken)
    #expect(queue.ends(3, with: result("v3", 1, 1)))
    try queue.end(3)
    #expect(try order(stores, costs, sharing: queue) == ["v2-0", "v1-0", "v1-1"])
    let text = try String(contentsOfFile: directory.path("queue"), encoding: .utf8)
    #expect(text == "f\n--d")
  }

  @Test func `a bin in which a store failed for good is tried again by a later run only`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("queue")
    var failure = result("v1", 1, 1)
    failure.fail(with: 65, StoreResult.Fault(message: "damaged"))
    let first = try BinQueue(path, of: plan("f", bins: 2))
    #expect(try first.take(1, stores: 2) == .taken)
    #expect(!first.ends(1, with: failure))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "f\n--")
    #expect(first.ends(1, with: result("v1", 1, 1)))
    try first.end(1)
    #expect(try first.remainder() == (isLeft: true, hasFailures: true))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "f\nf-")
    #expect(try first.take(1, stores: 2) == .ended)
    let later = try BinQueue(path, of: plan("f", bins: 2))
    #expect(try later.take(1, stores: 2) == .taken)
    #expect(!later.ends(1, with: result("v1", 1, 1)))
    #expect(later.ends(1, with: result("v1", 1, 1)))
    try later.end(1)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "f\nd-")
  }

  @Test(arguments: [(6 as Int32, true), (7, false), (74, false)])
  func `a bin whose store may succeed another time does not end`(
    code: Int32,
    isLeft: Bool
  ) throws {
    let directory = try TemporaryDirectory()
    let queue = try BinQueue(directory.path("queue"), of: plan("f", bins: 1))
    #expect(try queue.take(1, stores: 2) == .taken)
    var failure = result("v1", 1, 1)
    failure.fail(with: code, StoreResult.Fault(message: "later"))
    #expect(!queue.ends(1, with: failure))
    #expect(!queue.ends(1, with: result("v1", 1, 1)))
    // Others may go on with what was stopped; what failed is told as that.
    #expect(try queue.remainder() == (isLeft: isLeft, hasFailures: false))
    #expect(try String(contentsOfFile: directory.path("queue"), encoding: .utf8) == "f\n-")
  }

  @Test func `a queue that a kill cut off is completed, and others are refused`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("queue")
    for beginning in ["", "fl", "fleet\n", "fleet\n---"] {
      try Data(beginning.utf8).write(to: URL(fileURLWithPath: path))
      _ = try BinQueue(path, of: plan("fleet", bins: 4))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "fleet\n----")
    }
    for other in [
      "fleet\n-----", "fleet\n-D--", "fleet\n---\u{0}", "fleet\n    ", "fleet\nd", "flees\n----",
      "{}", "SQLite format 3\u{0}",
    ] {
      try Data(other.utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: FleetError.self) { try BinQueue(path, of: plan("fleet", bins: 4)) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(other.utf8))
    }
  }
}
