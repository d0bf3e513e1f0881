package import BulkPlan

/// The calls of a migration to its caller, on the thread that works, which waits for them.
package struct MigrationEvents {
  package init() {}

  /// Called regularly; returns whether to stop, and how.
  package var stopRequest: () -> StopRequest? = { nil }
  /// Called with the plan of a migration in place, before anything is changed.
  package var planned: (MigrationPlan) -> Void = { _ in }
  /// Called with decisions and their reasons, a sentence each.
  package var decided: (String) -> Void = { _ in }
  /// Called with the progress after every batch.
  package var report: (MigrationProgress) -> Void = { _ in }
  /// Called with every pass that is done, and the number of them, where there are several.
  package var passDone: (PassUse, Int) -> Void = { _, _ in }
  /// Called with the number of every checkpoint that counts from now on, and the rows that it keeps.
  package var checkpointWritten: (Int64, Int64) -> Void = { _, _ in }
  package var requested: (RunControl) -> Void = { _ in }
  /// Called with the measures of all attempts when this one ends, however it does.
  package var measured: (MeasureRecord) -> Void = { _ in }
  /// The command line, for the record of the attempt.
  package var command: String?
}
