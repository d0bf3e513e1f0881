import BulkMigrate
import BulkTestSupport
import Testing

struct SurveyTests {
  private static let file = "8F4F6C2A-7C9B-4A5E-8D11-6A6C9A1B2C3D"

  private static func model(extra: Bool = false) throws -> ManagedObjectModel {
    try .of(
      .init(
        "Person",
        [.optional("name"), .optional("data", .transformable), .external("image")]
          + (extra ? [.optional("rank", .integer64)] : []),
        [
          .toOne("passport", "Passport.owner"),
          .toOne("boss", "Person.staff"), .toMany("staff", "Person.boss"),
          .toMany("friends", "Tag.people"),
        ]
      ),
      .init("Passport", [], [.toOne("owner", "Person.passport")]),
      .init("Tag", [], [.toMany("people", "Person.friends")])
    )
  }

  /// Four persons: the second leads to a boss who is not there, the passports of the third and the fourth are
  /// confused, the first has an image whose file is missing, and a pair leads to a tag that is not there.
  private static func planned() throws -> Planned {
    var store = TestStore(try model())
    store.objects = (1...4).map { TestObject("Person", $0, links: ["passport": [$0]]) }
    store.objects += (1...4).map { TestObject("Passport", $0) }
    store.objects += [TestObject("Tag", 1)]
    store.sql = [
      "UPDATE ZPERSON SET ZBOSS = 99 WHERE Z_PK = 2",
      "UPDATE ZPASSPORT SET ZOWNER = 3 WHERE Z_PK = 4",
      "UPDATE ZPERSON SET ZIMAGE = CAST(x'02' || '\(file)' || x'00' AS BLOB) WHERE Z_PK = 1",
      "INSERT INTO Z_2FRIENDS VALUES (3, 77)",
    ]
    return try Planned(store, to: model(extra: true))
  }

  @Test func `dangling and one-sided links, and missing files, are reported`() throws {
    let report = try Self.planned().report()
    #expect(
      report.lines(.danglingReference) == [
        "Person.boss: leads to no object (1) Person 2",
        "Person.friends: leads to no object (1) Person 3",
      ]
    )
    #expect(
      report.lines(.oneSidedReference) == [
        "Passport.owner: the object at the other end does not lead back (1) Passport 4",
        "Person.passport: the object at the other end does not lead back (1) Person 4",
      ]
    )
    #expect(
      report.lines(.missingFile) == ["Person.image: the file of the value is missing (1) Person 1"]
    )
    #expect(Set(report.findings.map(\.outcome)) == [.kept])
    #expect(report.rejected == 0)
  }

  @Test func `numbers with more digits than the attribute holds are told`() throws {
    var store = TestStore(
      try .of(EntityDescription("Note", [.optional("a", .double), .optional("b", .integer64)]))
    )
    store.objects = [
      TestObject("Note", 1, ["a": .double(0.5), "b": .integer(1 << 53)]),
      TestObject("Note", 2, ["a": .double(0.1), "b": .integer(1 << 53 + 1)]),
    ]
    let planned = try Planned(
      store,
      to: .of(EntityDescription("Note", [.optional("a", .float), .optional("b", .double)])),
      by: [.of("Note", "Note", ["a": "$source.a", "b": "$source.b"])]
    )
    let report = try planned.report()
    #expect(
      report.lines(.rounding) == [
        "Note.a: has more digits than Float holds (1) Note 2",
        "Note.b: has more digits than Double holds (1) Note 2",
      ]
    )
    #expect(report.rejected == 0)
  }
}
