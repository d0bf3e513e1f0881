@testable import BulkExecute
import BulkTestSupport
import Testing

struct MigrationStepTests {
  @Test func `a step has the settings of its migration, and keeps a receipt in its folder`() throws
  {
    let note = EntityDescription("Note", [.optional("title")])
    let planned = try Planned(
      TestStore(try ManagedObjectModel.of(note)),
      to: try ManagedObjectModel.of(note, EntityDescription("Tag"))
    )
    var migration = Migration(planned.plan)
    migration.memoryLimit = .mebibytes(80)
    migration.lockWait = .seconds(7)
    migration.batchRows = 3_000
    migration.keepsCheckpoints = false
    let location = StateLocation(stateDirectory: planned.directory.path("step"))
    let step = migration.step(by: planned.plan, in: location)
    #expect(step.memoryLimit == .mebibytes(80))
    #expect(step.lockWait == .seconds(7))
    #expect(step.batchRows == 3_000)
    #expect(!step.keepsCheckpoints)
    #expect(!migration.keepsReceipt && migration.stateLocation != location)
    #expect(step.keepsReceipt && step.stateLocation == location)
  }
}
