import BulkTestSupport
import Synchronization
import Testing

@testable import BulkExecute

struct SystemHostTests {
  private let location: StateLocation
  private let directory = TemporaryDirectory()

  init() throws {
    location = StateLocation(stateDirectory: directory.path("state"))
  }

  @Test func `a state directory has its identifiers, name and time`() throws {
    var host = SystemHost()
    host.now = { Date(timeIntervalSinceReferenceDate: 86_400) }
    host.name = { "here" }
    host.identifier = { "00000000-0000-4000-8000-000000000001" }
    let owner = try SystemHost.$current.withValue(host) {
      let folder = try #require(try StateFolder.enter(location))
      #expect(folder.identity == "00000000-0000-4000-8000-000000000001")
      return StateOwner(limits)
    }
    #expect(owner.host == "here")
    #expect(owner.since == "2001-01-02T00:00:00Z")
    #expect(!owner.identity.isOfThisHost)
  }

  @Test func `a lock is waited for as long as its clock says`() throws {
    let folder = try #require(try StateFolder.enter(location))
    try folder.lock.record(StateOwner(limits))
    let clock = SteppingClock(by: .seconds(1800))
    #expect(throws: MigrationError.self) {
      try SystemHost.$current.withValue(clock.host) {
        _ = try LockWait(.seconds(3600)).enter(location) {}
      }
    }
    // Once when the wait begins, and at each attempt.
    #expect(clock.readings == 3)
  }

  @Test func `a thread has the host of the one that starts it`() {
    var host = SystemHost()
    host.processors = { 1 }
    let work = SystemHost.$current.withValue(host) { Background { _ in Migration.usualThreads } }
    #expect(work.value() == 1)
  }

  private var limits: RunLimits {
    RunLimits(memory: .mebibytes(64), losses: .all, rejects: RejectPolicy())
  }
}

private final class SteppingClock: Sendable {
  private let start = ContinuousClock.now
  private let step: Duration
  private let count = Mutex(0)

  init(by step: Duration) { self.step = step }

  var readings: Int { count.withLock(\.self) }

  var host: SystemHost {
    var host = SystemHost()
    host.instant = { [self] in
      count.withLock { count in
        count += 1
        return start + step * (count - 1)
      }
    }
    return host
  }
}
