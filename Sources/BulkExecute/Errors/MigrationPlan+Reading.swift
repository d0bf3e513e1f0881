package import BulkPlan
internal import BulkStore
internal import BulkVersions

extension MigrationPlan {
  /// Runs work that reads the source without its damaged pages, and reports its errors as those of a migration.
  ///
  /// - Parameters:
  ///   - path: The store that the work reads, for errors.
  ///   - isStopped: Whether the work was stopped, which is then its error.
  ///   - body: The work.
  /// - Returns: The result of the work.
  /// - Throws: ``MigrationError``, and any other error of the work.
  package func reading<Result>(
    _ path: String,
    isStopped: () -> Bool,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      let skipped = try skippingDamage()
      defer { withExtendedLifetime(skipped) {} }
      return try body()
    } catch let error as PlanError {
      throw MigrationError.plan(error)
    } catch let error as StoreError {
      if isStopped() { throw MigrationError.cancelled }
      throw MigrationError.plan(.store(error, path: path))
    }
  }
}
