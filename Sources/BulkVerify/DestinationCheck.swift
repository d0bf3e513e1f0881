internal import BulkExecute
internal import BulkModel
internal import BulkStore
internal import Synchronization

/// The check of a destination itself, on any thread.
struct DestinationCheck: Sendable {
  /// The report to which findings are added.
  let report: VerificationReport
  let model: ManagedObjectModel
  let source: StoreCheck.Source

  /// Checks the destination.
  ///
  /// - Parameters:
  ///   - pages: The bytes for pages that SQLite holds.
  ///   - keys: The bytes for keys that are noted.
  ///   - stopIfRequested: Called regularly; what it throws ends the check.
  /// - Returns: The report with all findings.
  /// - Throws: ``StoreError`` if the destination cannot be read.
  func run(
    pages: Int64,
    keys: Int64,
    _ stopIfRequested: () throws -> Void
  ) throws -> VerificationReport {
    var found = report
    let store = try PersistentStore(path: report.destination)
    try store.useCache(of: pages)
    try check(store, keys: keys).run(stopIfRequested) { found.add($0) }
    return found
  }

  /// The bytes that are enough for all keys.
  ///
  /// - Throws: ``StoreError`` if the destination cannot be read.
  func bytesOfKeys() throws -> Int64 {
    Int64(try check(PersistentStore(path: report.destination), keys: 0).bytesOfKeys())
  }

  private func check(_ store: PersistentStore, keys: Int64) -> StoreCheck {
    StoreCheck(store: store, model: model, source: source, memory: Int(keys))
  }
}

/// The check of a destination on a thread of its own, while the expected store is made.
final class CheckBeside: Sendable {
  private let work: Background<Result<VerificationReport, any Error>>
  private let failed: Failed

  /// The memory that it may hold until it has ended, in bytes.
  let bytes: Int64

  /// Its memory besides pages and keys: a connection, and pages read ahead.
  private static let overhead: Int64 = 2 << 20

  /// Whether the check has failed; the thread that checks says so.
  private final class Failed: Sendable {
    let value = Mutex<(any Error)?>(nil)
  }

  /// Begins to check, with an eighth of a memory limit in bytes at most; `nil` if there is one processor, or if a
  /// check alone could note more keys.
  ///
  /// - Throws: ``StoreError`` if the destination cannot be read.
  init?(_ check: DestinationCheck, within limit: Int64) throws {
    let pages = limit / 32
    let keys = limit / 8 - pages - Self.overhead
    guard Migration.usualThreads > 1, try check.bytesOfKeys() <= keys else { return nil }
    let failed = Failed()
    self.failed = failed
    bytes = limit / 8
    work = Background { isStopped in
      let result = Result {
        try check.run(pages: pages, keys: keys) {
          if isStopped() { throw MigrationError.cancelled }
        }
      }
      if case .failure(let error) = result { failed.value.withLock { $0 = error } }
      return result
    }
  }

  /// The reason for which the check failed; `nil` as long as it has not.
  var failure: (any Error)? {
    guard let error = failed.value.withLock({ $0 }) else { return nil }
    if case MigrationError.cancelled = error { return nil }
    return error
  }

  /// Waits for the end of the check.
  ///
  /// - Throws: The reason for which the check failed, or the error of `stopIfRequested`, which is called regularly.
  func report(_ stopIfRequested: () throws -> Void) throws -> VerificationReport {
    try work.value(stopIfRequested).get()
  }

  func stop() { work.stop() }
}
