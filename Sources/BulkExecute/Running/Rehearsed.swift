package import BulkPlan

/// What a rehearsal found.
package struct Rehearsed {
  /// The violations of rules and the expressions that fail, with what must be left out for them; `nil` if
  /// there are none.
  package var violations: ViolationSummary?
  /// The number of objects that are left out.
  package var rejected: Int64 = 0
  /// What is lost.
  package var losses: [MigrationPlan.Loss] = []
  /// The first objects that lose a link, by the relationship as losses name it.
  package var lostLinks: [String: [(entity: String, key: Int64)]] = [:]
  /// Whether objects cannot be left out, so that a run makes nothing in any case.
  package var isRefused = false
}
