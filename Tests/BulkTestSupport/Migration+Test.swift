internal import BulkCoding
package import BulkExecute
package import BulkPlan

extension Migration {
  /// A migration in the process of the tests, which holds more memory than a limit would allow for, and may
  /// lose anything.
  package init(inTestProcess plan: MigrationPlan) {
    self.init(plan)
    settings.memoryLimit = .gibibytes(64)
    settings.lossLimit = .all
  }
}
