import BulkVersions
import BulkCoding
import BulkExecute
import BulkModel
import BulkPlan
import BulkTestSupport
import Foundation
import Testing

@Suite("Stores of a part of a model, or of several") struct PartialModelTests {
  private let app: AppVersions

  init() throws { app = try AppVersions() }

  /// Migrates the store to the current versions of the packages in the folder.
  private func migrate() throws -> StoreFile {
    var request = PlanRequest()
    request.source = app.path("store.sqlite")
    request.destination = app.path("new.sqlite")
    request.models = [app.directory.path]
    _ = try Migration(inTestProcess: try Planner.plan(request)).run()
    return StoreFile(app.path("new.sqlite"))
  }

  private static func both(_ attributes: [AttributeDescription]) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [EntityDescription("Local", attributes), EntityDescription("Remote")],
      configurations: ["Cloud": ["Remote"], "Disk": ["Local"]]
    )
  }

  @Test func `a store of a configuration becomes one of the current version's`() throws {
    try app.write(package: "Both.momd", ["b1", "b2"], current: "b2") { name in
      try Self.both([.optional("a")] + (name == "b2" ? [.optional("b", default: "x")] : []))
    }
    let part = try ManagedObjectModel.of(EntityDescription("Local", [.optional("a")]))
    _ = try TestStore(part, TestObject("Local", 1, ["a": "1"])).write(to: app.path("store.sqlite"))
    let store = try migrate()
    #expect(try store.rows("SELECT Z_PK, ZA FROM ZLOCAL") == [[1, "1"]])
    #expect(try store.rows("SELECT Z_NAME FROM Z_PRIMARYKEY") == [["Local"]])
  }

  @Test func `a store of two models becomes one of both current versions`() throws {
    let one = try ManagedObjectModel.of(EntityDescription("Alpha", [.optional("a")]))
    let other = try ManagedObjectModel.of(EntityDescription("Beta", [.optional("b")]))
    try app.write(package: "Alpha.momd", ["a"], current: "a") { _ in one }
    try app.write(package: "Beta.momd", ["b", "b2"], current: "b2") { name in
      name == "b" ? other : try .of(EntityDescription("Beta", [.optional("c", id: "b")]))
    }
    _ = try TestStore(
      ManagedObjectModel(merging: [one, other]),
      TestObject("Alpha", 1, ["a": "1"]),
      TestObject("Beta", 1, ["b": "2"])
    ).write(to: app.path("store.sqlite"))
    let store = try migrate()
    #expect(try store.rows("SELECT ZA FROM ZALPHA") == [["1"]])
    #expect(try store.rows("SELECT ZC FROM ZBETA") == [["2"]])
  }
}
