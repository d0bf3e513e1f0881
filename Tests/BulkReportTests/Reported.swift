@testable import BulkExecute
import BulkTestSupport

/// The plan between two models, for a store with some objects.
func plan(
  from source: ManagedObjectModel,
  _ objects: [TestObject],
  to destination: ManagedObjectModel
) throws -> MigrationPlan {
  var store = TestStore(source)
  store.objects = objects
  return try Planned(store, to: destination).plan
}

/// A record of two attempts, the second of which begins after 4 of 10 seconds.
func record(attempts: Int = 2, samples: Int = 11) -> MeasureRecord {
  var record = MeasureRecord()
  record.attempts = (0..<attempts).map { index in
    AttemptRecord(
      identity: "\(index)",
      began: Double(index) * 60,
      from: Double(index) * 4,
      memoryLimit: 64 << 20,
      peakMemory: 50 << 20,
      tool: "bulkmigrate 1.2.3, SQLite 3",
      system: "Linux, 2 processors",
      command: "bulkmigrate run --plan '<&>.json'"
    )
  }
  let interval = 10 / Double(samples - 1)
  for index in 0..<samples {
    let stage: MigrationProgress.Stage = index < 8 ? .rows : index == 8 ? .indexes : .publishing
    let count = Int64(index)
    let sample = MeasureRecord.Sample(
      seconds: Double(index) * interval,
      stage: stage,
      rows: min(count, 8) * 1_000,
      memoryBytes: (20 + count) << 20,
      bytesRead: count * 1_000_000,
      bytesWritten: count * 500_000
    )
    record.samples.append(sample)
  }
  return record
}
