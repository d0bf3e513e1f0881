import BulkTestSupport
import Testing

@testable import BulkExecute

struct MeasureRecordTests {
  private func attempt(_ index: Int, from: Double) -> AttemptRecord {
    AttemptRecord(
      identity: "\(index)",
      began: 0,
      from: from,
      memoryLimit: 1 << 20,
      tool: "",
      system: ""
    )
  }

  private func sample(_ seconds: Double, rows: Int64, memory: Int64 = 1) -> MeasureRecord.Sample {
    MeasureRecord.Sample(
      seconds: seconds,
      stage: .rows,
      rows: rows,
      memoryBytes: memory,
      bytesRead: Int64(seconds) * 10,
      bytesWritten: Int64(seconds)
    )
  }

  private func monitor(
    _ command: String? = nil,
    _ measured: @escaping (MeasureRecord) -> Void = { _ in }
  ) throws -> Monitor {
    let model = try ManagedObjectModel.of(EntityDescription("Note", [.optional("title")]))
    var migration = Migration(try Planned(TestStore(model), to: model).plan)
    (migration.command, migration.measured) = (command, measured)
    return Monitor(migration)
  }

  private func progress(
    _ stage: MigrationProgress.Stage,
    pass: Int = 1,
    rows: Int64
  ) -> MigrationProgress {
    MigrationProgress(
      pass: pass,
      passCount: 2,
      stage: stage,
      rowsDone: rows,
      rowsTotal: 9,
      memoryLimit: .mebibytes(64)
    )
  }

  @Test func `it is the same after it was written down`() throws {
    var record = MeasureRecord()
    record.attempts = [attempt(0, from: 0)]
    record.samples = [sample(0, rows: 0), sample(1.25, rows: 7, memory: 1 << 40)]
    record.samples[1].stage = .publishing
    record.segments = 3
    let data = try JSONEncoder().encode(record)
    #expect(try JSONDecoder().decode(MeasureRecord.self, from: data) == record)
  }

  @Test(
    arguments: [
      { $0.samples[0].seconds = -1 },
      { $0.samples[1].seconds = 0 },
      { $0.samples[1].seconds = .nan },
      { $0.samples[1].seconds = 1e300 },
      { $0.samples[1].rows = -1 },
      { $0.samples[1].memoryBytes = .max },
      { $0.segments = .min },
      { $0.attempts[0].omitted = .max },
      { $0.attempts[0].from = .infinity },
    ] as [@Sendable (inout MeasureRecord) -> Void]
  )
  func `what no migration wrote is not continued and not shown`(
    spoil: @Sendable (inout MeasureRecord) -> Void
  ) throws {
    var former = MeasureRecord()
    former.attempts = [attempt(0, from: 0)]
    former.samples = [sample(1, rows: 0), sample(2, rows: 7)]
    var shown = MigrationRecord()
    shown.take(former)
    #expect(shown.measures == former)
    spoil(&former)
    shown.take(former)
    #expect(shown.measures == nil && shown.attempts.isEmpty)
    let monitor = try monitor()
    monitor.resume(after: former)
    #expect(monitor.record.attempts.count == 1)
  }

  @Test func `it is bounded, and keeps the peak, the last sample, the stages and the order`() {
    var record = MeasureRecord()
    record.attempts = [attempt(0, from: 0)]
    for index in 0..<10_000 {
      var sample = sample(Double(index), rows: Int64(index), memory: index == 4_321 ? 999 : 1)
      sample.stage = index == 5_000 ? .indexes : .rows
      record.add(sample)
      #expect(record.samples.count <= MeasureRecord.sampleLimit)
    }
    #expect(record.samples.map(\.memoryBytes).max() == 999)
    #expect(record.samples.last?.rows == 9_999)
    #expect(record.samples.first { $0.stage == .indexes }?.rows == 5_000)
    #expect(record.samples.map(\.seconds) == record.samples.map(\.seconds).sorted())
  }

  @Test func `a thousand short attempts stay bounded too`() {
    var record = MeasureRecord()
    for index in 0..<1_000 {
      record.add(attempt(index, from: record.seconds))
      for _ in 0..<3 { record.add(sample(record.seconds + 1, rows: 1)) }
    }
    #expect(record.attempts.count <= MeasureRecord.attemptLimit)
    #expect(record.samples.count <= MeasureRecord.sampleLimit)
    #expect(record.attemptCount == 1_000)
    #expect(record.seconds == 3_000)
    #expect(record.samples.last?.bytesRead == 30_000)
    #expect(record.attempts.first?.identity == "0")
    #expect(record.attempts.last?.identity == "999")
  }

  @Test func `a sample is taken at a checkpoint, and where a pass or a stage ends`() throws {
    var last: MeasureRecord?
    let monitor = try monitor { last = $0 }
    monitor.note(progress(.rows, rows: 1))
    monitor.note(progress(.rows, rows: 2))
    #expect(monitor.record.samples == [])
    let kept = monitor.measure(.rows, pass: 1, rows: 3)
    #expect(kept.samples.map(\.rows) == [3])
    monitor.note(progress(.rows, rows: 4))
    monitor.note(progress(.rows, pass: 2, rows: 5))
    monitor.note(progress(.publishing, pass: 2, rows: 6))
    monitor.end()
    let samples = try #require(last?.samples)
    #expect(samples.map(\.rows) == [3, 4, 5, 6])
    #expect(samples.map(\.pass) == [1, 1, 2, 2])
    #expect(samples.map(\.stage) == [.rows, .rows, .rows, .publishing])
    #expect(last?.peakMemory != nil)
  }

  @Test func `a run without checkpoints has its rows, its time and its peak too`() throws {
    let note = EntityDescription("Note", [.optional("title")])
    var store = TestStore(try ManagedObjectModel.of(note))
    store.objects = [TestObject("Note", 1), TestObject("Note", 2)]
    let planned = try Planned(
      store,
      to: try ManagedObjectModel.of(note, EntityDescription("Tag"))
    )
    var measures: MeasureRecord?
    try planned.run { migration in
      migration.keepsCheckpoints = false
      migration.measured = { measures = $0 }
    }
    let record = try #require(measures)
    #expect(record.samples.first?.stage == .rows)
    #expect(record.samples.last?.stage == .publishing)
    #expect(record.samples.last?.rows == 2)
    #expect(record.seconds > 0)
    #expect(record.peakMemory != nil)
  }

  @Test func `an attempt does not continue what it wrote itself`() throws {
    let monitor = try monitor("bulkmigrate run")
    monitor.resume(after: monitor.measure())
    #expect(monitor.record.attempts.count == 1)
    var former = MeasureRecord()
    former.attempts = [attempt(7, from: 0)]
    former.samples = [sample(5, rows: 50)]
    monitor.resume(after: former)
    // A leg has a later checkpoint than its route.
    former.samples.append(sample(6, rows: 60))
    monitor.resume(after: former)
    monitor.note(progress(.rows, rows: 40))
    let record = monitor.measure()
    #expect(record.attempts.map(\.from) == [0, 6])
    #expect(record.attempts.last?.command == "bulkmigrate run")
    #expect(record.samples.map(\.rows) == [50, 60, 40])
    #expect(record.seconds > 6)
    #expect(record.samples[2].bytesRead >= 60)
  }

  @Test func `a long command line is cut`() throws {
    let monitor = try monitor(String(repeating: "x", count: 100_000))
    #expect(monitor.record.attempts[0].command?.count == 1_000)
  }
}
