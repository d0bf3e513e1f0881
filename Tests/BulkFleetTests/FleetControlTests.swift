import BulkCoding
import BulkExecute
import BulkPlatform
import BulkTestSupport
import Foundation
import Testing

@testable import BulkFleet

/// What other processes ask of a coordinator, and what it passes on to its workers.
@Suite("What is asked of fleets")
struct FleetControlTests {
  private let fleet: ListedFleet
  private let file: FleetControlFile

  init() throws {
    fleet = try ListedFleet(ListedFleet.stores([1, 1]))
    file = FleetControlFile(fleet.results)
  }

  /// The lines with what workers were asked.
  private func asked() throws -> [String] {
    try String(contentsOfFile: fleet.directory.path("asked"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  @Test func `a paused fleet begins no store until it is asked to go on`() throws {
    var told: [Bool] = []
    var isFirstEvaluation = false
    let found = try fleet.run("answer done 0") { settings in
      settings.isStopped = {
        if !isFirstEvaluation {
          send(RunControl(isPaused: true, bytesPerSecond: nil, memoryLimit: nil))
        }
        isFirstEvaluation = true
        return false
      }
      settings.observe = { event in
        guard case .requested(let control) = event else { return }
        told.append(control.isPaused)
        if control.isPaused {
          #expect(starts() == 0)
          send(RunControl())
        }
      }
    }
    #expect(told == [true, false])
    #expect(found.attempts.sorted() == ["v1-0 done 0", "v1-1 done 0"])
    #expect(file.control == RunControl())
  }

  @Test func `less memory than any store needed is refused`() throws {
    let log = try ResultLog(fleet.results)
    for least in [48, 40] {
      let job = StoreJob(store: fleet.stores[0], wave: 1, attempt: 1, verifies: false)
      var result = StoreResult(job, of: ListedFleet.plan)
      result.leastMemoryBytes = Int64(least) << 20
      try log.append(result)
    }
    let error = #expect(throws: FleetError.self) {
      try file.send(RunControl(isPaused: false, bytesPerSecond: nil, memoryLimit: .mebibytes(39)))
    }
    #expect(
      error?.description
        == "39 MiB is too little for a worker: the stores so far needed 40 MiB at least"
    )
    send(RunControl(isPaused: false, bytesPerSecond: nil, memoryLimit: .mebibytes(40)))
  }

  /// How many attempts were begun.
  private func starts() -> Int {
    (FileManager.default.contents(atPath: fleet.results + ".starts") ?? Data()).count
  }

  private func send(_ control: RunControl) {
    #expect(throws: Never.self) { try file.send(control) }
  }

  @Test func `a stopped fleet ends though it is paused`() throws {
    var questions = 0
    let found = try fleet.run("answer done 0") { settings in
      settings.isStopped = {
        send(RunControl(isPaused: true, bytesPerSecond: nil, memoryLimit: nil))
        questions += 1
        return questions > 1
      }
    }
    #expect(found.ending == .workLeft)
    #expect(found.attempts == [])
  }

  @Test func `workers divide what may be written, and the last one has all of it`() throws {
    // The worker of the first store waits for the next thing that it is asked.
    let script = """
      if [ $id = v1-0 ]; then read -r line; echo "$line" >> '\(fleet.directory.path("last"))'; fi
      answer done 0
      """
    let found = try fleet.run(script) { settings in
      settings.workers = 2
      settings.isStopped = {
        send(RunControl(isPaused: false, bytesPerSecond: 100_001, memoryLimit: .mebibytes(64)))
        return false
      }
    }
    #expect(found.ending == .done)
    // A worker without a store is told what the last one may write, too.
    #expect(
      try asked().prefix(2)
        == Array(
          repeating: "{\"control\":{\"bulkmigrate\":\"control/1\",\"bytesPerSecond\":50000,"
            + "\"isPaused\":false,\"memoryLimit\":67108864}}",
          count: 2
        )[...]
    )
    let last = try String(contentsOfFile: fleet.directory.path("last"), encoding: .utf8)
    #expect(last.contains("\"bytesPerSecond\":100001,"), "\(last)")
  }

  @Test func `nothing is asked of a run that is not there, and a damaged file asks nothing`() throws
  {
    let error = try #require(throws: FleetError.self) { try file.send(RunControl()) }
    #expect(error.description.hasPrefix("no fleet run appends to \(fleet.results) now; "))
    for text in ["{", "{\"bulkmigrate\":\"control/1\"", "[]"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: fleet.results + ".control"))
      #expect(file.control == RunControl())
    }
  }

  @Test func `a worker waits as it is asked to, and takes what it is asked meanwhile`() throws {
    let pipe = Pipe()
    let orders = WorkerOrders(pipe.fileHandleForReading.fileDescriptor)
    func say(_ order: WorkerOrder) throws {
      try pipe.fileHandleForWriting.write(
        contentsOf: Data((try StableJSON.line(order) + "\n").utf8)
      )
    }
    let wish = RunControl(isPaused: true, bytesPerSecond: nil, memoryLimit: .mebibytes(48))
    try pipe.fileHandleForWriting.write(contentsOf: Data("no order\n".utf8))
    try say(WorkerOrder(control: wish))
    var questions = 0
    orders.wait {
      questions += 1
      return questions == 2
    }
    #expect(questions == 2)
    #expect(orders.memoryLimit == .mebibytes(48))
    // A job comes even now; it is begun once the worker may go on.
    let job = StoreJob(store: fleet.stores[0], wave: 1, attempt: 1, verifies: false)
    try say(WorkerOrder(job: job))
    try say(WorkerOrder(control: RunControl()))
    #expect(orders.nextJob { false } == job)
    try pipe.fileHandleForWriting.close()
    #expect(orders.nextJob { false } == nil)
  }
}
