package import BulkPlan
package import BulkStore

extension MigrationPlan {
  /// Refuses a source that cannot be opened: without it nobody can say that there is nothing to do.
  package func refuseUnreadableSource() throws(MigrationError) {
    do throws(StoreError) {
      _ = try PersistentStore(path: source.store)
    } catch {
      throw .plan(.store(error, path: source.store))
    }
  }

  /// Runs work that reads the source, and reports its errors as those of a migration.
  ///
  /// `path` names the store in errors. `body` gets the copy that it reads in place of the source, if there is
  /// one. If `isStopped`, that is the error.
  package func reading<Result>(
    _ path: String,
    isStopped: () -> Bool,
    _ body: (SourceCopy?) throws -> Result
  ) throws -> Result {
    do {
      return try body(sourceCopy())
    } catch let error as PlanError {
      throw MigrationError.plan(error)
    } catch let error as StoreError {
      if isStopped() { throw MigrationError.cancelled }
      throw MigrationError.plan(.store(error, path: path))
    }
  }
}
