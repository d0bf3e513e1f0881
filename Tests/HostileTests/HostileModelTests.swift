import BulkFixture
import BulkTestSupport
import Testing

/// Whatever a model's names are, they stay names.
struct HostileModelTests {
  private let folder = TemporaryDirectory()

  /// Two entities with relationships of all kinds, an index and a uniqueness constraint, whose names all
  /// have something in them.
  private static func model(_ part: String, isNew: Bool) throws -> ManagedObjectModel {
    let (owner, member) = ("Owner" + part, "Member" + part)
    let added = AttributeDescription.optional("added" + part, default: .string(part))
    var entity = EntityDescription(
      owner,
      [
        .optional("title" + part, default: .string(part)), .optional("rank" + part, .integer64),
      ] + (isNew ? [added] : []),
      [
        .toMany("members" + part, "\(member).owner\(part)", isOrdered: true),
        .toMany("friends" + part, "\(member).fans\(part)"),
      ],
      unique: [["rank" + part]]
    )
    entity.indexes = [
      FetchIndexDescription("by" + part, elements: [.init(.property("title" + part))])
    ]
    let back: [RelationshipDescription] = [
      .toOne("owner" + part, "\(owner).members\(part)"),
      .toMany("fans" + part, "\(owner).friends\(part)"),
    ]
    return try .of(entity, .init(member, [], back))
  }

  /// Makes a store with some rows, and migrates it.
  private func migrate(
    _ model: ManagedObjectModel,
    _ wanted: FixtureRequest,
    to other: ManagedObjectModel? = nil,
    named name: String = ""
  ) throws -> (rows: Int64, destination: Connection) {
    var request = PlanRequest()
    let source = folder.path("source \(name.replacing("/", with: "_")).sqlite")
    let destination = folder.path("destination \(name.replacing("/", with: "_")).sqlite")
    (request.source, request.destination) = (source, destination)
    request.rebuilds = other == nil
    if let other {
      request.destinationModel = folder.path("second.mom")
      try TestStore.write(other, to: folder.path("second.mom"))
    }
    _ = try Fixture(model, wanted).write(to: source)
    let outcome = try Migration(inTestProcess: Planner.plan(request)).run()
    return (outcome.rows, try Connection(path: destination, access: .source))
  }

  @Test(arguments: [
    "o'clock", #"double "quotes" "#, "[b] `t`", " two  blanks ", "🗒", "; DROP TABLE ZOWNER; --",
    "ŉß", "%?1:a@b$c", "/* */", "\n", "\u{e9}\u{301}",
  ])
  func `names in a model may hold anything but a NUL`(part: String) throws {
    var wanted = FixtureRequest()
    wanted.rows = ["Owner" + part: 20, "Member" + part: 50]
    wanted.links = ["Owner\(part).friends\(part)": 2]
    let models = try [false, true].map { try Self.model(part, isNew: $0) }
    let (rows, connection) = try migrate(models[0], wanted, to: models[1], named: part)
    #expect(rows >= 70)
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

  @Test func `hundreds of entities are migrated`() throws {
    let entities = (0..<400).map { number in
      number % 10 == 0
        ? EntityDescription("E\(number)", [.optional("a")])
        : EntityDescription(
          "E\(number)",
          under: "E\(number - number % 10)",
          [.optional("b\(number)", .integer64)]
        )
    }
    var wanted = FixtureRequest()
    wanted.rows = ["E0": 3, "E399": 4]
    #expect(try migrate(ManagedObjectModel(entities: entities), wanted).rows == 7)
  }
}
