import BulkCoding
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan
import BulkTestSupport
import BulkVerify
import BulkVersions
import Foundation
import Testing

/// Numbers that a store holds although its model does not allow them.
@Suite("Numbers beyond their types") struct ForeignNumberTests {
  @Test func `verification takes over what the run took over`() throws {
    let directory = try TemporaryDirectory()
    let model = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("count", .integer16)])
    )
    let store = TestStore(model, TestObject("Note", 1, ["count": 70_000]))
    var request = PlanRequest()
    request.source = try store.write(to: directory.path("source.sqlite")).path
    request.sourceModel = directory.path("model.mom")
    request.destination = directory.path("destination.sqlite")
    request.destinationModel = directory.path("model.mom")
    request.mapping = directory.path("mapping.json")
    try TestStore.write(model, to: directory.path("model.mom"))
    let mapping = try EntityMapping.of("Note", "Note", ["count": "$source.count"])
    try MappingModel(entityMappings: [mapping]).json
      .write(toFile: directory.path("mapping.json"), atomically: true, encoding: .utf8)
    let plan = try Planner.plan(request)
    _ = try Migration(inTestProcess: plan).run()
    #expect(try StoreFile(plan.destination.store).rows(of: "ZNOTE", "ZCOUNT") == [[70_000]])
    var verification = Verification(plan)
    verification.level = .full
    verification.memoryLimit = .gibibytes(64)
    #expect(try verification.run().sentences == [])
  }
}
