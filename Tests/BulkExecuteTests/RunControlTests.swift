import BulkTestSupport
import Testing

@testable import BulkExecute

struct RunControlTests {
  private let directory = TemporaryDirectory()
  private let location: StateLocation
  private let folder: StateFolder

  init() throws {
    location = StateLocation(stateDirectory: directory.path("state"))
    folder = try #require(try StateFolder.enter(location))
  }

  private func monitor(
    noting requested: @escaping (RunControl) -> Void = { _ in },
    unless isStopped: @escaping () -> Bool
  ) throws -> Monitor {
    let model = try ManagedObjectModel.of(EntityDescription("Note", [.optional("title")]))
    var migration = Migration(try Planned(TestStore(model), to: model).plan)
    migration.stateDirectory = location.path
    migration.stopRequest = { isStopped() ? .atOnce : nil }
    migration.requested = requested
    return Monitor(migration, controlInterval: .zero)
  }

  @Test func `a paused run waits until it is asked to go on`() throws {
    var control = RunControl()
    control.isPaused = true
    try control.send(to: location)
    var questions = 0
    var taken: [Bool] = []
    let monitor = try monitor(noting: { taken.append($0.isPaused) }) {
      questions += 1
      if questions == 3 {
        control.isPaused = false
        try? control.send(to: location)
      }
      return false
    }
    monitor.isControlled = true
    #expect(monitor.tick() == nil)
    #expect(questions == 3)
    #expect(taken == [true, false])
    // It pauses for 50 ms at a time.
    #expect(try #require(monitor.record.attempts[0].pausedSeconds) >= 0.1)
    #expect(monitor.record.attempts[0].pauses == 1)
    #expect(monitor.tick() == nil)
    #expect(monitor.record.attempts[0].pauses == 1)
    #expect(try !RunControl(of: location).isPaused)
  }

  @Test func `what was asked of an earlier attempt is not obeyed`() throws {
    var control = RunControl()
    control.isPaused = true
    try control.send(to: location)
    #expect(try monitor { false }.tick() == nil)
  }

  @Test func `a request to stop ends every wait`() throws {
    var control = RunControl()
    control.isPaused = true
    try control.send(to: location)
    var questions = 0
    let monitor = try monitor {
      questions += 1
      return questions == 2
    }
    monitor.isControlled = true
    #expect(monitor.tick() == .atOnce)
    #expect(questions == 2)
  }

  @Test func `a throttled run waits once it has written too much`() throws {
    var control = RunControl()
    control.bytesPerSecond = 1
    try control.send(to: location)
    var questions = 0
    let monitor = try monitor {
      questions += 1
      return questions == 3
    }
    monitor.isControlled = true
    #expect(monitor.tick() == nil)
    try Data(count: 100_000).write(to: URL(fileURLWithPath: directory.path("file")))
    // It waits, and is not paused.
    #expect(monitor.tick() == .atOnce)
    #expect(questions == 3)
    #expect(monitor.record.attempts[0].pauses == nil)
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
    let monitor = try monitor { false }
    monitor.isControlled = true
    #expect(monitor.tick() == nil)
  }

  @Test func `it goes with the files of an attempt`() throws {
    try RunControl().send(to: location)
    folder.removeAttemptFiles()
    #expect(folder.directory.names.filter { $0.hasPrefix("control") } == [])
  }

  @Test func `a running migration tells how far it is beyond its checkpoint`() throws {
    try folder.lock.record(
      StateOwner(
        RunLimits(memory: .mebibytes(64), losses: .all, rejects: RejectPolicy())
      )
    )
    let before = MigrationRecord(location)
    #expect(before.state == .running)
    #expect(before.rowsWritten == nil)
    LiveProgress(
      MigrationProgress(
        pass: 1,
        passCount: 1,
        stage: .indexes,
        rowsDone: 1_234,
        rowsTotal: 1_234,
        share: 0.75,
        memoryLimit: .mebibytes(64)
      )
    ).write(to: location)
    let status = MigrationRecord(location)
    #expect(status.rowsWritten == 1_234)
    #expect(status.stage == .indexes)
    #expect(status.share == 0.75)
    #expect(status.rowsKept == nil)
    folder.removeAttemptFiles()
    #expect(MigrationRecord(location).rowsWritten == nil)
  }
}
