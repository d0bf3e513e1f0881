import BulkTestSupport
import Testing

@testable import BulkFleet

struct FleetControlTests {
  private static let pause = RunControl(isPaused: true, bytesPerSecond: nil)
  private let fleet: ListedFleet
  private let file: FleetControlFile

  init() throws {
    fleet = try ListedFleet(ListedFleet.stores([1, 1]))
    file = FleetControlFile(fleet.results)
  }

  private func send(_ control: RunControl) {
    #expect(throws: Never.self) { try file.send(control) }
  }

  @Test func `a paused fleet begins no store until it is asked to go on`() throws {
    var told: [Bool] = []
    var isFirstEvaluation = false
    let found = try fleet.run("answer done 0") { settings in
      settings.isStopped = {
        if !isFirstEvaluation { send(Self.pause) }
        isFirstEvaluation = true
        return false
      }
      settings.observe = { event in
        guard case .requested(let control) = event else { return }
        told.append(control.isPaused)
        if control.isPaused {
          #expect(FileManager.default.contents(atPath: fleet.results + ".starts")?.isEmpty == true)
          send(RunControl())
        }
      }
    }
    #expect(told == [true, false])
    #expect(found.attempts.sorted() == ["v1-0 done 0", "v1-1 done 0"])
    #expect(file.control == RunControl())
  }

  @Test func `a stopped fleet ends though it is paused`() throws {
    var questions = 0
    let found = try fleet.run("answer done 0") { settings in
      settings.isStopped = {
        send(Self.pause)
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
        send(RunControl(isPaused: false, bytesPerSecond: 100_001))
        return false
      }
    }
    #expect(found.ending == .done)
    // A worker without a store is told what the last one may write, too.
    for (name, rate) in [("asked", 50_000), ("last", 100_001)] {
      let text = try String(contentsOfFile: fleet.directory.path(name), encoding: .utf8)
      #expect(text.contains("\"bytesPerSecond\":\(rate),"), "\(text)")
    }
  }

  @Test func `nothing is asked of a run that is not there, and a damaged file asks nothing`() throws
  {
    let error = try #require(throws: FleetError.self) { try file.send(RunControl()) }
    #expect(error.description.hasPrefix("no fleet run appends to \(fleet.results) now; "))
    let path = fleet.results + ".control"
    for text in ["{", "{\"bulkmigrate\":\"control/1\"", "[]"] {
      try Files.write(Array(text.utf8), to: path)
      #expect(file.control == RunControl())
    }
    // What is not a request of ours keeps its name beside the results.
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Files.write([], to: path + "/letter.txt")
    #expect(try fleet.run("answer done 0").ending == .done)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["letter.txt"])
  }

  @Test func `a worker waits as requested, and obeys requests in that time`() throws {
    let pipe = Pipe()
    let orders = WorkerOrders(pipe.fileHandleForReading.fileDescriptor)
    func say(_ line: String) throws {
      try pipe.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }
    try say("no order")
    try say(StableJSON.line(WorkerOrder(control: Self.pause)))
    var questions = 0
    orders.wait {
      questions += 1
      return questions == 2
    }
    #expect(questions == 2)
    // A job comes even now; it is begun once the worker may go on.
    let job = StoreJob(store: fleet.stores[0], attempt: 1, verifies: false)
    try say(StableJSON.line(WorkerOrder(job: job)))
    try say(StableJSON.line(WorkerOrder(control: RunControl())))
    #expect(orders.nextJob { false } == job)
    try pipe.fileHandleForWriting.close()
    #expect(orders.nextJob { false } == nil)
  }
}
