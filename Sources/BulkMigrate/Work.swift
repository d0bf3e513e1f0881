internal import BulkExecute
internal import BulkSupport
internal import Synchronization

/// Whether the task that a thread works for is cancelled, or its time is over.
final class Cancellation: Sendable {
  private let flag = Atomic(false)
  private let time: TimeLimit?

  init(after limit: Duration?) { time = limit.map { TimeLimit($0) } }

  var stopRequest: StopRequest? { isRequested ? .afterTransaction : time?.request }

  var isRequested: Bool { flag.load(ordering: .relaxed) }

  func check() throws(CancellationError) {
    if isRequested { throw CancellationError() }
  }

  func request() { flag.store(true, ordering: .relaxed) }

  func translated(_ error: any Error) -> any Error {
    guard case MigrationError.cancelled = error, !isRequested, time != nil else {
      return StoreMigrationError.translated(error)
    }
    return StoreMigrationError(.unfinished, "the time limit is over; continue with resume()")
  }
}

/// Work that reads and writes files for as long as it takes.
enum Work {
  /// In bytes; expressions are evaluated by recursion.
  private static let stackSize = 8 << 20

  /// On a separate thread, so that none of Swift's few threads waits for the disk.
  ///
  /// The work should stop after the limit, and check regularly whether it is cancelled.
  static func perform<Value: Sendable>(
    within limit: Duration? = nil,
    _ work: @escaping @Sendable (Cancellation) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let cancellation = Cancellation(after: limit)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        SystemThread.detach(stackBytes: stackSize) {
          continuation.resume(
            with: Result { try work(cancellation) }.mapError(cancellation.translated)
          )
        }
      }
    } onCancel: {
      cancellation.request()
    }
  }
}
