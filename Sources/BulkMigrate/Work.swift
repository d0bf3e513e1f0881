internal import BulkPlatform
internal import Synchronization

/// Whether the task that a thread works for is cancelled.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isRequested: Bool { flag.load(ordering: .relaxed) }

  func check() throws(CancellationError) {
    if isRequested { throw CancellationError() }
  }

  func request() { flag.store(true, ordering: .relaxed) }
}

/// Work that reads and writes files for as long as it takes.
enum Work {
  /// The stack of the thread, in bytes; expressions are evaluated by recursion.
  private static let stackSize = 8 << 20

  /// Does some work on a separate thread, so that none of Swift's few threads waits for the disk.
  ///
  /// - Parameter work: The work; it should check regularly whether it is cancelled.
  /// - Returns: The result of the work.
  /// - Throws: ``StoreMigrationError``; `CancellationError` if the task is cancelled.
  static func perform<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        SystemThread.detach(stackBytes: stackSize) {
          continuation.resume(
            with: Result { try work(cancellation) }.mapError(StoreMigrationError.translated)
          )
        }
      }
    } onCancel: {
      cancellation.request()
    }
  }
}
