import BulkCoding
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan
import BulkTestSupport
import BulkVersions
import Foundation
import Testing

/// What the legs of a route count of the store that the first of them reads.
@Suite("The account of a route")
struct LegAccountTests {
  private static func note(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", attributes))
  }

  @Test func `values that one leg adds and a later one removes are not lost`() throws {
    let directory = try TemporaryDirectory()
    let versions = [
      try Self.note(.optional("body"), .optional("title")),
      try Self.note(
        .optional("body"),
        .optional("stars", .integer16, default: .integer(3)),
        .optional("title")
      ),
      try Self.note(.optional("title")),
    ]
    let store = TestStore(
      versions[0],
      TestObject("Note", 1, ["title": "one", "body": "first"]),
      TestObject("Note", 2, ["title": "two"])
    )
    for (index, model) in versions.enumerated() {
      try TestStore.write(model, to: directory.path("v\(index).mom"))
    }
    for (index, texts) in [["body", "title"], ["title"]].enumerated() {
      let note = try EntityMapping.of(
        "Note",
        "Note",
        texts.reduce(into: [:]) { $0[$1] = "$source.\($1)" }
      )
      let json = MappingModel(entityMappings: [note]).json(
        sourceModel: "v\(index).mom",
        destinationModel: "v\(index + 1).mom"
      )
      let path = directory.path("to-v\(index + 1).json")
      try json.write(toFile: path, atomically: true, encoding: .utf8)
    }
    var request = PlanRequest()
    request.source = directory.path("store.sqlite")
    _ = try store.write(to: directory.path("store.sqlite"))
    request.models = versions.indices.map { directory.path("v\($0).mom") }
    request.mappings = (1...2).map { directory.path("to-v\($0).json") }
    request.version = "v2"
    request.destination = directory.path("new.sqlite")
    request.fuses = false
    let plan = try Planner.plan(request)
    #expect(plan.route?.legs.map(\.steps) == [1, 1])
    let losses = ["1 value of Note.body: nothing in the destination is made of them"]
    #expect(plan.losses.map(\.description) == losses)
    var migration = Migration(plan)
    migration.memoryLimit = .gibibytes(64)
    migration.lossLimit = .count(1)
    let outcome = try migration.run()
    #expect(outcome.losses.map(\.description) == losses)
    #expect(outcome.losses.map(\.step) == [2])
  }
}
