import BulkTestSupport
import Testing

@testable import BulkFleet

/// What the coordinator makes of workers that answer, crash, are killed, or say nothing.
struct CoordinatorTests {
  private static let permanent = "answer quarantined 65 '\"failure\":\"permanent\",'"

  private func fleet(_ count: Int) throws -> ListedFleet {
    try ListedFleet(ListedFleet.stores(Array(repeating: 1, count: count)))
  }

  @Test func `a store that crashes its worker is tried once more alone, then quarantined`() throws {
    let found = try fleet(4).run("if [ $id = v1-1 ]; then kill -SEGV $$; fi; answer done 0") {
      $0.workers = 2
    }
    #expect(found.ending == .failuresAllowed)
    #expect(found.tally.done == 3)
    #expect(found.tally.quarantined == 1)
    #expect(
      found.attempts.sorted() == [
        "v1-0 done 0", "v1-1 quarantined 139", "v1-1 stopped 6", "v1-2 done 0", "v1-3 done 0",
      ]
    )
    // A worker that ends without a word counts as a crash.
    #expect(try fleet(1).run("exit 3").attempts == ["v1-0 stopped 6", "v1-0 quarantined 3"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a worker that writes another object than its result fails the store by name`() throws {
    let found = try fleet(3).run(
      "if [ $id = v1-1 ]; then echo '{\"no\":1}'; else echo printed; answer done 0; fi"
    )
    #expect(found.ending == .failuresAllowed)
    #expect(
      found.attempts.sorted() == [
        "v1-0 done 0", "v1-1 quarantined 1", "v1-1 stopped 6", "v1-2 done 0",
      ]
    )
    #expect(found.messages.last?.contains("that is not its result: {\"no\":1}") == true)
    // The result of another store is not that of this one.
    let other = try fleet(1).run("id=v1-7; answer done 0")
    #expect(other.attempts == ["v1-0 stopped 6", "v1-0 quarantined 1"])
  }

  @Test func `to be killed is not a fault of a store, but for ten times in sequence`() throws {
    let fleet = try fleet(1)
    let killed = Array(repeating: "v1-0 stopped 6", count: 9) + ["v1-0 quarantined 137"]
    #expect(try fleet.run("kill -KILL $$").attempts == killed)
    // A later run tries it once more.
    #expect(try fleet.run("kill -KILL $$").attempts == killed + ["v1-0 quarantined 137"])
    #expect(try fleet.run("answer done 0").attempts.last == "v1-0 done 0")
  }

  @Test func `what may succeed is tried again, what cannot is not`() throws {
    let found = try fleet(2).run(
      """
      if [ $id = v1-0 ]; then answer failed 74 '"failure":"transient",'
      else \(Self.permanent); fi
      """
    )
    #expect(found.ending == .failuresAllowed)
    #expect(
      found.attempts == [
        "v1-0 failed 74", "v1-1 quarantined 65", "v1-0 failed 74", "v1-0 failed 74",
      ]
    )
    #expect(found.tally.failures == 2)
    // Attempts that were tried again do not count as crashes.
    let fleet = try fleet(1)
    let crashed = try fleet.run(
      """
      case $(wc -l < '\(fleet.results)') in
        0|1) answer failed 74 '"failure":"transient",';; 2) kill -SEGV $$;; *) answer done 0;; esac
      """
    )
    #expect(
      crashed.attempts == ["v1-0 failed 74", "v1-0 failed 74", "v1-0 stopped 6", "v1-0 done 0"]
    )
  }

  @Test func `beyond the limit of failures nothing is started`() throws {
    let found = try fleet(100).run(Self.permanent) { $0.maxFailures = .share(0.05) }
    #expect(found.ending == .tooManyFailures)
    #expect(found.attempts.count == 6)
  }

  @Test func `canaries that fail end the fleet before the others begin`() throws {
    let verification = #""verification":{"level":"full","isVerified":false,"differences":1},"#
    let differing = "answer quarantined 4 '\"failure\":\"permanent\",\(verification)'"
    let found = try fleet(10).run(differing, canary: .count(2)) { $0.maxFailures = .share(1) }
    #expect(found.ending == .verificationFailed)
    #expect(found.tally.unverified == 2)
    #expect(found.attempts.count == 2)
    let failed = try fleet(10).run(Self.permanent, canary: .count(1))
    #expect(failed.ending == .tooManyFailures)
    #expect(failed.attempts.count == 1)
    // Failures that are allowed end nothing.
    let all = try fleet(10).run(Self.permanent, canary: .count(1)) { $0.maxFailures = .share(1) }
    #expect(all.ending == .failuresAllowed)
    #expect(all.attempts.count == 10)
  }

  @Test func `a fleet that is stopped has work left, and begins nothing more`() throws {
    let found = try fleet(5).run("answer done 0") { $0.isStopped = { true } }
    #expect(found.ending == .workLeft)
    #expect(found.attempts == [])
    // A store that was overtaken is left, too.
    let overtaken = try fleet(1).run("answer overtaken 9")
    #expect(overtaken.ending == .workLeft)
    #expect(overtaken.tally.overtaken == 1)
  }

  @Test func `a second coordinator with the same results is refused`() throws {
    let fleet = try fleet(1)
    let log = try ResultLog(fleet.directory.path("results.jsonl"))
    withExtendedLifetime(log) {
      _ = #expect(throws: FleetError.self) { try fleet.run("answer done 0") }
    }
  }

  @Test(arguments: [
    (0, MigrationRecord.Outcome.done, nil as StoreResult.Failure?), (1, .quarantined, .permanent),
    (4, .quarantined, .permanent), (5, .failed, .transient), (6, .stopped, nil),
    (7, .failed, .operator), (8, .failed, .transient), (9, .overtaken, nil),
    (64, .failed, .operator), (65, .quarantined, .permanent), (66, .quarantined, .permanent),
    (73, .failed, .operator), (74, .failed, .transient), (75, .failed, .transient),
  ])
  func `each exit code is somebody's`(
    code: Int,
    outcome: MigrationRecord.Outcome,
    failure: StoreResult.Failure?
  ) {
    let job = StoreJob(store: ListedFleet.stores([1])[0], attempt: 1, verifies: false)
    var result = StoreResult(job, of: ListedFleet.plan)
    if code == 0 {
      result.finish(as: .done)
    } else {
      result.fail(with: Int32(code), MigrationRecord.Fault(message: "m"))
    }
    #expect(result.outcome == outcome)
    #expect(result.failure == failure)
  }
}
