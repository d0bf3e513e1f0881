internal import BulkExecute
internal import BulkModel
internal import BulkStore
internal import Synchronization

/// The check of a destination itself, on any thread.
struct DestinationCheck: Sendable {
  let report: VerificationReport
  let model: ManagedObjectModel
  let source: StoreCheck.Source

  /// The bytes are for pages that SQLite holds, and for keys that are noted.
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

  /// Enough for all keys.
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

  /// In bytes, until the check has ended.
  let bytes: Int64

  /// Its memory apart from pages and keys: a connection, and pages read ahead.
  private static let overhead: Int64 = 2 << 20

  /// Set by the thread that checks.
  private final class Failed: Sendable {
    let value = Mutex<(any Error)?>(nil)
  }

  /// Begins to check, with an eighth of a memory limit in bytes at most; `nil` if there is one processor, or if a
  /// check alone could note more keys.
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

  /// `nil` as long as the check has not failed.
  var failure: (any Error)? {
    guard let error = failed.value.withLock({ $0 }) else { return nil }
    if case MigrationError.cancelled = error { return nil }
    return error
  }

  /// Throws the reason for which the check failed, or the error of the body, which is called
  /// regularly.
  func report(_ stopIfRequested: () throws -> Void) throws -> VerificationReport {
    try work.value(stopIfRequested).get()
  }

  func stop() { work.stop() }
}
