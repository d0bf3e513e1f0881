internal import BulkCoding
internal import BulkExecute
internal import BulkPlan

extension StoreResult {
  /// The result of a job, before anything is known of it.
  init(_ job: StoreJob, of fleet: FleetPlan) {
    let store = job.store
    self.init(
      fleet: fleet.fingerprint,
      wave: job.wave,
      id: store.id,
      attempt: job.attempt,
      outcome: .failed,
      code: Code.failed,
      storeClass: store.storeClass,
      source: store.source,
      destination: store.destination,
      version: store.version,
      sourceBytes: store.bytes
    )
  }

  /// Ends without work.
  mutating func finish(as outcome: Outcome) {
    (self.outcome, code, failure, error) = (outcome, Code.done, nil, nil)
    if outcome == .already { rowsOfAttempt = 0 }
  }

  /// Takes what a migration did.
  mutating func take(_ outcome: MigrationOutcome) {
    let isAlready = outcome.wasDone || outcome.destination == nil
    finish(as: isAlready ? .already : .done)
    rows = outcome.destination == nil ? nil : outcome.rows
    rowsOfAttempt = isAlready ? 0 : outcome.rows - (outcome.rowsBefore ?? 0)
    resumedAtRow = outcome.rowsBefore
    bytes = outcome.destination == nil ? nil : outcome.size.bytes
    losses = outcome.losses.isEmpty ? nil : outcome.losses
    rejected = outcome.rejected > 0 ? outcome.rejected : nil
    if rejected != nil { code = Code.rejected }
  }

  /// Takes an error.
  mutating func fail(with error: any Error, code: Int32) {
    if case MigrationError.cancelled? = error as? MigrationError {
      (outcome, self.code, failure) = (.stopped, Code.workLeft, nil)
      return
    }
    var fault = Fault(message: "\(error)")
    if case MigrationError.invalidObjects(let summary)? = error as? MigrationError,
      let rule = summary.rules.first
    {
      fault.entity = rule.name.entity
      fault.property = rule.name.property
      fault.key = rule.first.first?.key
    }
    fail(with: code, fault)
  }
}
