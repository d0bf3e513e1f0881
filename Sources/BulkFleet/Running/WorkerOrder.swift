internal import BulkCoding
internal import BulkExecute

/// A line from the coordinator to a worker: a job, or the requests that apply to the worker from now on.
struct WorkerOrder: Codable, Sendable {
  var job: StoreJob?
  var control: RunControl?
}

extension RunControl {
  /// The requests to each of several workers, which together write no more than is requested of all.
  func shared(among workers: Int) -> RunControl {
    RunControl(
      isPaused: isPaused,
      bytesPerSecond: bytesPerSecond.map { max($0 / Int64(max(workers, 1)), 1) },
      memoryLimit: memoryLimit.map { ByteCount(bytes: $0) }
    )
  }
}
