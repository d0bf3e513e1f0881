internal import BulkCoding
internal import BulkExecute

/// A line from the coordinator to a worker: a job, or what is asked of the worker from now on.
struct WorkerOrder: Codable, Sendable {
  var job: StoreJob?
  var control: RunControl?
}

extension RunControl {
  /// What is asked of each of several workers: together they write no more than is asked of all.
  func shared(among workers: Int) -> RunControl {
    RunControl(
      isPaused: isPaused,
      bytesPerSecond: bytesPerSecond.map { max($0 / Int64(max(workers, 1)), 1) },
      memoryLimit: memoryLimit.map { ByteCount(bytes: $0) }
    )
  }
}
