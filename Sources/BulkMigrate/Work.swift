internal import Foundation
internal import Synchronization

/// Whether the task is cancelled on whose behalf a thread works.
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

  /// Does some work on a thread of its own, so that none of Swift's few threads waits for the disk.
  ///
  /// - Parameter work: The work; it should ask now and then whether it is cancelled.
  /// - Returns: What the work gives.
  /// - Throws: ``StoreMigrationError``; `CancellationError` if the task is cancelled.
  static func perform<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
          continuation.resume(
            with: Result { try work(cancellation) }.mapError(StoreMigrationError.translated)
          )
        }
        thread.stackSize = stackSize
        thread.start()
      }
    } onCancel: {
      cancellation.request()
    }
  }
}
