import BulkCoding
import BulkPlan
import BulkTestSupport
import Foundation
import Testing

@testable import BulkExecute

@Suite("Requests to a running migration")
struct RunControlTests {
  private let directory: TemporaryDirectory
  private let location: StateLocation
  private let folder: StateFolder

  init() throws {
    directory = try TemporaryDirectory()
    location = StateLocation(stateDirectory: directory.path("state"))
    folder = try #require(try StateFolder.enter(location))
  }

  private func controller() -> RunController {
    RunController(
      location,
      memoryLimit: .mebibytes(64),
      leastMemory: .mebibytes(40),
      interval: .zero
    )
  }

  @Test func `a paused run waits until it is asked to go on`() throws {
    var control = RunControl()
    control.isPaused = true
    try control.send(to: location)
    let controller = self.controller()
    controller.begin()
    var questions = 0
    var taken: [Bool] = []
    let paused = controller.wait(noting: { taken.append($0.isPaused) }) {
      questions += 1
      if questions == 3 {
        control.isPaused = false
        try? control.send(to: location)
      }
      return false
    }
    #expect(questions >= 3)
    #expect(taken == [true, false])
    // It pauses for 50 ms at a time.
    #expect(try #require(paused) >= .milliseconds(100))
    #expect(controller.wait { true } == nil)
    #expect(try !RunControl(of: location).isPaused)
  }

  @Test func `what was asked of an earlier attempt is not obeyed`() throws {
    var control = RunControl()
    control.isPaused = true
    try control.send(to: location)
    var questions = 0
    controller().wait {
      questions += 1
      return true
    }
    #expect(questions == 0)
  }

  @Test func `a request to stop ends every wait`() throws {
    var control = RunControl()
    control.isPaused = true
    try control.send(to: location)
    var questions = 0
    let controller = self.controller()
    controller.begin()
    controller.wait {
      questions += 1
      return questions == 2
    }
    #expect(questions == 2)
  }

  @Test func `a throttled run waits once it has written too much`() throws {
    var control = RunControl()
    control.bytesPerSecond = 1
    try control.send(to: location)
    let controller = self.controller()
    controller.begin()
    controller.wait { true }
    try Data(count: 100_000).write(to: URL(fileURLWithPath: directory.path("file")))
    var questions = 0
    // It waits, and is not paused.
    #expect(
      controller.wait {
        questions += 1
        return questions == 2
      } == nil
    )
    #expect(questions == 2)
  }

  @Test(arguments: [(39, nil), (40, 40), (64, nil), (128, 128)] as [(Int64, Int64?)])
  func `another memory limit is taken once, if it is enough`(asked: Int64, taken: Int64?) throws {
    try own(leastMemory: .mebibytes(1))
    var control = RunControl()
    try control.limitMemory(to: .mebibytes(asked), of: location)
    try control.send(to: location)
    let controller = self.controller()
    #expect(controller.request == nil)
    controller.begin()
    controller.wait { true }
    #expect(controller.request == (taken == nil ? nil : .afterTransaction))
    #expect(controller.takeMemoryLimit() == taken.map { .mebibytes($0) })
    #expect(controller.memoryLimit == .mebibytes(taken ?? 64))
    #expect(controller.request == nil)
    #expect(controller.takeMemoryLimit() == nil)
  }

  @Test func `a memory limit below the need is refused`() throws {
    try own(leastMemory: .mebibytes(40))
    var control = RunControl()
    let error = try #require(throws: MigrationError.self) {
      try control.limitMemory(to: .mebibytes(39), of: location)
    }
    #expect(
      error.description
        == "a memory limit of 39 MiB is too small: this migration needs at least 40 MiB; it keeps its limit, "
        + "64 MiB"
    )
  }

  @Test func `a memory limit is refused by a run that cannot begin again, and where none is`()
    throws
  {
    try own(leastMemory: nil)
    var control = RunControl()
    let error = try #require(throws: MigrationError.self) {
      try control.limitMemory(to: .mebibytes(128), of: location)
    }
    #expect(
      error.description
        == "the migration keeps its memory limit, 64 MiB: without checkpoints it "
        + "cannot begin again with another one"
    )
    folder.lock.release()
    let gone = try #require(throws: MigrationError.self) {
      try control.limitMemory(to: .mebibytes(128), of: location)
    }
    #expect(
      gone.description.hasPrefix(
        "no process works on \(location.path), so there is nothing to ask; "
      )
    )
  }

  /// Records that this process holds the folder, with a limit of 64 MiB.
  private func own(leastMemory: ByteCount?) throws {
    let limits = RunLimits(
      memory: .mebibytes(64),
      leastMemory: leastMemory,
      losses: .all,
      rejects: RejectPolicy()
    )
    try folder.lock.record(StateOwner(limits))
  }

  @Test
  func `nothing is asked where there is no state directory, and what is damaged asks nothing`()
    throws
  {
    let missing = StateLocation(stateDirectory: directory.path("missing"))
    #expect(throws: MigrationError.self) {
      try RunControl().send(to: missing)
    }
    let file = directory.path("state/\(ControlFile.name(folder.identity))")
    try Data("{".utf8).write(to: URL(fileURLWithPath: file))
    #expect(try RunControl(of: location) == RunControl())
    var questions = 0
    let controller = self.controller()
    controller.begin()
    controller.wait {
      questions += 1
      return true
    }
    #expect(questions == 0)
  }

  @Test func `it goes with the files of an attempt`() throws {
    try RunControl().send(to: location)
    folder.removeAttemptFiles()
    #expect(folder.directory.names.filter { $0.hasPrefix("control") } == [])
  }

  @Test func `a running migration tells how far it is beyond its checkpoint`() throws {
    try folder.lock.record(
      StateOwner(
        RunLimits(memory: .mebibytes(64), leastMemory: nil, losses: .all, rejects: RejectPolicy())
      )
    )
    let before = MigrationStatus(location)
    #expect(before.state == .running)
    #expect(before.rowsWritten == nil)
    LiveProgressFile(location).write(
      MigrationProgress(
        pass: 1,
        passCount: 1,
        stage: .indexes,
        rowsDone: 1_234,
        rowsTotal: 1_234,
        share: 0.75,
        memoryLimit: .mebibytes(64)
      )
    )
    let status = MigrationStatus(location)
    #expect(status.rowsWritten == 1_234)
    #expect(status.stage == "indexes")
    #expect(status.share == 0.75)
    #expect(status.rowsDone == nil)
    folder.removeAttemptFiles()
    #expect(MigrationStatus(location).rowsWritten == nil)
  }
}
