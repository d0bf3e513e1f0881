package import BulkPlan
internal import BulkStore
package import BulkVersions

extension MigrationPlan {
  /// The plan of one step, for a store that the step before it has made.
  package func plan(
    ofStep index: Int,
    source: String,
    destination: String
  ) throws(PlanError) -> MigrationPlan {
    try plan(
      ofSteps: index..<index + 1,
      of: PersistentStore.planned(at: source),
      destination: destination,
      by: steps(index..<index + 1)
    )
  }
}
