#if DEBUG
internal import Foundation
#endif

extension TransactionLog {
  /// The rows of a batch where nobody says otherwise: large enough that a transaction costs nothing beside
  /// its rows, small enough that progress is seen and little is lost by an interruption.
  package static let usualBatchRows: Int64 = rowsForProofs ?? 100_000

  /// What the environment of a debug build says instead, so that the many interruptions of a proof can be
  /// tried on a small store: with `BULKMIGRATE_BATCH_ROWS=100` a batch has 100 rows, and a migration of
  /// 100 rows has checkpoints already.
  private static var rowsForProofs: Int64? {
    #if DEBUG
    ProcessInfo.processInfo.environment["BULKMIGRATE_BATCH_ROWS"].flatMap { Int64($0) }
    #else
    nil
    #endif
  }
}
