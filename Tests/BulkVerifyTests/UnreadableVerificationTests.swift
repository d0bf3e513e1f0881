import BulkCoding
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import BulkVerify
import BulkVersions
import Foundation
import Testing

@Suite("A verification of a source with pages that cannot be read")
struct UnreadableVerificationTests {
  /// 40 notes of 900 bytes lie on ten leaves, four on each.
  @Test(arguments: [false, true])
  func `what could be read is compared`(isChanged: Bool) throws {
    let directory = try TemporaryDirectory()
    let model = try ManagedObjectModel.of(EntityDescription("Note", [.optional("title")]))
    var store = TestStore(model)
    store.objects = (1...40).map { (key: Int64) in
      TestObject("Note", key, ["title": .string("\(key)" + String(repeating: "x", count: 900))])
    }
    let source = try store.write(to: directory.path("source.sqlite"))
    try source.write(
      Array(repeating: 0, count: 4096),
      to: source.leaves(of: "ZNOTE")[2]
    )
    try TestStore.write(model, to: directory.path("source.mom"))
    try TestStore.write(
      .of(EntityDescription("Note", [.optional("name")])),
      to: directory.path("destination.mom")
    )
    try MappingModel(entityMappings: [.of("Note", "Note", ["name": "lowercase($source.title)"])])
      .json.write(toFile: directory.path("all.json"), atomically: true, encoding: .utf8)
    var request = PlanRequest(in: directory)
    request.mapping = directory.path("all.json")
    var migration = Migration(inTestProcess: try Planner.plan(request))
    migration.rejects = RejectPolicy(.quarantine)
    #expect(try migration.run().rows == 36)
    if isChanged {
      try StoreFile(directory.path("destination.sqlite"))
        .execute("UPDATE ZNOTE SET ZNAME = 'y' WHERE Z_PK = 13")
    }
    var verification = Verification(migration.plan)
    verification.level = .full
    verification.memoryLimit = .gibibytes(64)
    let report = try verification.run()
    #expect(report.rowsCompared == 36)
    #expect(report.differences.map(\.key) == (isChanged ? [13] : []))
  }

  /// 400 folders lie on several leaves; links to those of a leaf become nil, as a migration in place makes them.
  @Test(arguments: [StoreStrategy.Kind.rebuild, .copy])
  func `links to rows that could not be read are nil in an inferred migration too`(
    strategy: StoreStrategy.Kind
  ) throws {
    let directory = try TemporaryDirectory()
    func model(_ more: AttributeDescription...) throws -> ManagedObjectModel {
      try .of(
        EntityDescription("Note", more, [.toOne("folder", "Folder", inverse: "notes")]),
        EntityDescription(
          "Folder",
          [.optional("name")],
          [.toMany("notes", "Note", inverse: "folder")]
        )
      )
    }
    var store = TestStore(try model())
    store.objects = (1...400).map {
      TestObject("Folder", $0, ["name": .string("a folder with the number \($0)")])
    }
    store.objects += (1...400).map { TestObject("Note", $0, links: ["folder": [$0]]) }
    let source = try store.write(to: directory.path("source.sqlite"))
    try source.write(Array(repeating: 0, count: 4096), to: source.leaves(of: "ZFOLDER")[1])
    try TestStore.write(store.model, to: directory.path("source.mom"))
    try TestStore.write(model(.optional("more")), to: directory.path("destination.mom"))
    var request = PlanRequest(in: directory)
    request.strategy = strategy
    var migration = Migration(inTestProcess: try Planner.plan(request))
    migration.rejects = RejectPolicy(.quarantine)
    _ = try migration.run()
    for level in VerificationLevel.allCases {
      var verification = Verification(migration.plan)
      verification.level = level
      verification.memoryLimit = .gibibytes(64)
      #expect(try verification.run().sentences == [])
    }
  }
}
