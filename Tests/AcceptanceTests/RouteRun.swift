import BulkExecute
import BulkPlan
import BulkTestSupport
import Foundation
import Testing

/// Carries out the steps of a plan one after another, each by a plan of its own, and then the plan.
struct RouteRun {
  let plan: MigrationPlan
  let policies: [String: any EntityMigrationPolicy]

  /// The stores that the steps make; the last one has the bytes of the plan's destination.
  func stores() throws -> [StoreFile] {
    var result: [StoreFile] = []
    for (index, planned) in plan.steps.enumerated() {
      let destination = "\(plan.destination.store).step\(index + 1)"
      let step = try plan.plan(
        ofStep: index,
        source: result.last?.path ?? plan.source.store,
        destination: destination
      )
      #expect(step.destination.model == planned.destination)
      var migration = Migration(inTestProcess: step)
      migration.policies = PolicyRegistry(policies)
      _ = try migration.run()
      result.append(StoreFile(destination))
    }
    var migration = Migration(inTestProcess: plan)
    migration.policies = PolicyRegistry(policies)
    _ = try migration.run()
    #expect(try bytes(plan.destination.store) == bytes(try #require(result.last).path))
    return result
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
