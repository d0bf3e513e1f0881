import BulkExecute
import BulkPlan
import BulkTestSupport
import Testing

/// Carries out the steps of a plan one after another, each by a plan of its own.
struct RouteRun {
  let plan: MigrationPlan
  let policies: [String: any EntityMigrationPolicy]

  /// The stores that the steps make; the last one is the plan's destination.
  func stores() throws -> [StoreFile] {
    var result: [StoreFile] = []
    for (index, hop) in plan.hops.enumerated() {
      let isLast = index == plan.hops.count - 1
      let destination =
        isLast ? plan.destination.store : "\(plan.destination.store).step\(index + 1)"
      let step = try plan.plan(
        ofHop: index,
        source: result.last?.path ?? plan.source.store,
        destination: destination
      )
      #expect(step.destination.model == hop.destination)
      var migration = Migration(inTestProcess: step)
      migration.policies = PolicyRegistry(policies)
      _ = try migration.run()
      result.append(StoreFile(destination))
    }
    return result
  }
}
