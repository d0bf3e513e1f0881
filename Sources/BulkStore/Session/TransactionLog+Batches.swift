#if DEBUG
internal import BulkPlatform
#endif

extension TransactionLog {
  /// The default number of rows in a batch: large enough that a transaction costs little compared with its
  /// rows, small enough that progress shows and an interruption costs little.
  package static let defaultBatchRows: Int64 = environmentBatchRows ?? 100_000

  /// The number set in the environment of a debug build, so that tests can interrupt a small store many
  /// times: with `BULKMIGRATE_BATCH_ROWS=100` a batch has 100 rows, and a migration of 100 rows has
  /// checkpoints already.
  private static var environmentBatchRows: Int64? {
    #if DEBUG
    ProcessInfo.processInfo.environment["BULKMIGRATE_BATCH_ROWS"].flatMap { Int64($0) }
    #else
    nil
    #endif
  }
}
