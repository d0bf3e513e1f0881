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
    let model = try ManagedObjectModel.of(EntityDescription("Note", [.optional("title")]))
    var store = TestStore(model)
    store.objects = (1...40).map { (key: Int64) in
      TestObject("Note", key, ["title": .string("\(key)" + String(repeating: "x", count: 900))])
    }
    let planned = try Planned(
      store,
      to: .of(EntityDescription("Note", [.optional("name")])),
      by: [.of("Note", "Note", ["name": "lowercase($source.title)"])]
    ) { try $0.write(Array(repeating: 0, count: 4096), to: $0.leaves(of: "ZNOTE")[2]) }
    var migration = Migration(inTestProcess: planned.plan)
    migration.rejects = RejectPolicy(.quarantine)
    #expect(try migration.run().rows == 36)
    if isChanged {
      try StoreFile(planned.plan.destination.store)
        .execute("UPDATE ZNOTE SET ZNAME = 'y' WHERE Z_PK = 13")
    }
    let report = try Verification(inTestProcess: planned.plan).run()
    #expect(report.rowsCompared == 36)
    #expect(report.differences.map(\.key) == (isChanged ? [13] : []))
  }

  /// 400 folders lie on several leaves; links to those of a leaf become nil, as a migration in place makes them.
  @Test(arguments: [StoreStrategy.Kind.rebuild, .copy])
  func `links to rows that could not be read are nil in an inferred migration too`(
    strategy: StoreStrategy.Kind
  ) throws {
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
    var request = PlanRequest()
    request.strategy = strategy
    let planned = try Planned(store, to: model(.optional("more")), request) {
      try $0.write(Array(repeating: 0, count: 4096), to: $0.leaves(of: "ZFOLDER")[1])
    }
    var migration = Migration(inTestProcess: planned.plan)
    migration.rejects = RejectPolicy(.quarantine)
    _ = try migration.run()
    for level in VerificationLevel.allCases {
      #expect(try Verification(inTestProcess: migration.plan, level).run().sentences == [])
    }
  }
}
