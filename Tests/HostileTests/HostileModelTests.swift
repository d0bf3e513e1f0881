import BulkVersions
import BulkExecute
import BulkFixture
import BulkModel
import BulkPlan
import BulkSQLite
import BulkTestSupport
import Foundation
import Testing

/// Whatever a model's names are, they stay names.
@Suite("Hostile models") struct HostileModelTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Two entities with relationships of all kinds, an index and a uniqueness constraint, whose names all
  /// have something in them.
  private static func model(_ part: String, isNew: Bool) throws -> ManagedObjectModel {
    var owner = EntityDescription("Owner" + part)
    var member = EntityDescription("Member" + part)
    var title = AttributeDescription("title" + part, .string)
    title.defaultValue = .string(part)
    owner.attributes = [title, AttributeDescription("rank" + part, .integer64)]
    if isNew {
      var added = AttributeDescription("added" + part, .string)
      added.defaultValue = .string(part)
      owner.attributes.append(added)
    }
    var members = RelationshipDescription("members" + part, to: member.name)
    (members.isToMany, members.isOrdered, members.maxCount) = (true, true, 0)
    members.inverseName = "owner" + part
    var back = RelationshipDescription("owner" + part, to: owner.name)
    back.inverseName = members.name
    var friends = RelationshipDescription("friends" + part, to: member.name)
    (friends.isToMany, friends.maxCount, friends.inverseName) = (true, 0, "fans" + part)
    var fans = RelationshipDescription("fans" + part, to: owner.name)
    (fans.isToMany, fans.maxCount, fans.inverseName) = (true, 0, friends.name)
    owner.relationships = [members, friends]
    member.relationships = [back, fans]
    owner.indexes = [FetchIndexDescription("by" + part, elements: [.init(.property(title.name))])]
    owner.uniquenessConstraints = [["rank" + part]]
    return try ManagedObjectModel(entities: [owner, member])
  }

  private func write(_ model: ManagedObjectModel, to name: String) throws -> String {
    try Files.write(CompiledModelWriter.archive(of: model), to: folder.path(name))
    return folder.path(name)
  }

  @Test(arguments: [
    "o'clock", #"double "quotes" "#, "[b] `t`", " two  blanks ", "🗒", "; DROP TABLE ZOWNER; --",
    "ŉß", "%?1:a@b$c", "/* */", "\n", "\u{e9}\u{301}",
  ])
  func `names in a model may hold anything but a NUL`(part: String) throws {
    let first = try Self.model(part, isNew: false)
    let source = folder.path("source \(part.replacing("/", with: "_")).sqlite")
    let destination = folder.path("destination \(part.replacing("/", with: "_")).sqlite")
    var wanted = FixtureRequest()
    wanted.rows = ["Owner" + part: 20, "Member" + part: 50]
    wanted.links = ["Owner\(part).friends\(part)": 2]
    _ = try Fixture(first, wanted).write(to: source)
    var request = PlanRequest()
    (request.source, request.destination) = (source, destination)
    request.destinationModel = try write(Self.model(part, isNew: true), to: "second.mom")
    let outcome = try Migration(inTestProcess: try Planner.plan(request)).run()
    #expect(outcome.rows >= 70)
    let connection = try Connection(path: destination, access: .source)
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    let table = SQLText.quoted("Z" + ("Owner" + part).uppercased())
    // Columns of attributes have capitals of ASCII alone (formats/store.md 3.3).
    let capitals = part.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }
    let column = SQLText.quoted("ZADDED" + String(decoding: capitals, as: UTF8.self))
    #expect(
      try connection.value(
        "SELECT count(*) FROM \(table) WHERE \(column) = \(SQLText.quoted(literal: part))"
      ) == .integer(20)
    )
  }

  @Test(arguments: ["\0", "a\0b"])
  func `a name with a NUL is refused`(part: String) {
    #expect(throws: ModelError.nameWithNUL(entity: "Member" + part)) {
      try Self.model(part, isNew: false)
    }
  }

  @Test func `a thousand entities are migrated`() throws {
    let entities = (0..<1_000).map { number in
      var entity = EntityDescription("E\(number)")
      entity.attributes = [AttributeDescription("a", .string)]
      if number % 10 != 0 {
        entity.superentityName = "E\(number - number % 10)"
        entity.attributes = [AttributeDescription("b\(number)", .integer64)]
      }
      return entity
    }
    let model = try ManagedObjectModel(entities: entities)
    let source = folder.path("source.sqlite")
    var wanted = FixtureRequest()
    wanted.rows = ["E0": 3, "E999": 4]
    _ = try Fixture(model, wanted).write(to: source)
    var request = PlanRequest()
    (request.source, request.destination) = (source, folder.path("destination.sqlite"))
    request.rebuilds = true
    #expect(try Migration(inTestProcess: try Planner.plan(request)).run().rows == 7)
  }
}
