import BulkTestSupport
import Testing

/// What the rows decide of inferred changes of attributes: formats/migration.md 2.6, 2.10 and 2.11.
struct InferredValueTests {
  private static func note(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", attributes))
  }

  private static func notes(_ type: AttributeType, _ numbers: [AttributeValue]) throws -> TestStore
  {
    var store = TestStore(try note(.optional("rank", type)))
    store.objects = numbers.enumerated().map { TestObject("Note", Int64($0 + 1), ["rank": $1]) }
    return store
  }

  @Test func `whole numbers become integers, and fractions stay and are counted (2.6)`() throws {
    let store = try Self.notes(
      .double,
      [
        .double(2), .double(2.5), .double(-1e15), .double(1e17), .double(1e19), .double(-0.5),
        .null,
      ]
    )
    let migrated = try migrate(store, to: Self.note(.optional("rank", .integer64)))
    #expect(
      try migrated.destination.rows("SELECT ZRANK, typeof(ZRANK) FROM ZNOTE ORDER BY Z_PK") == [
        [2, "integer"], [2.5, "real"], [-1_000_000_000_000_000, "integer"],
        [100_000_000_000_000_000, "integer"], [1e19, "real"], [-0.5, "real"], [nil, "null"],
      ]
    )
    #expect(
      migrated.plan.passes.flatMap(\.entities).map(\.details)
        == [["attribute rank becomes Integer 64 instead of Double"]]
    )
    #expect(
      migrated.plan.warnings == [
        "3 values of Note.rank do not fit Integer 64; they stay in the column, as in Core Data"
      ]
    )
  }

  @Test func `an integer beyond a smaller type stays and is counted (2.6)`() throws {
    let store = try Self.notes(.integer64, [32_767, 32_768, -32_768])
    let migrated = try migrate(store, to: Self.note(.optional("rank", .integer16)))
    #expect(try migrated.destination.rows(of: "ZNOTE", "ZRANK") == [[32_767], [32_768], [-32_768]])
    #expect(
      migrated.plan.warnings == [
        "1 value of Note.rank does not fit Integer 16; it stays in the column, as in Core Data"
      ]
    )
  }

  @Test(arguments: [AttributeType.double, .float, .decimal])
  func `integers become numbers of any type (2.6)`(type: AttributeType) throws {
    let store = try Self.notes(.integer32, [3, .null, -7])
    let migrated = try migrate(store, to: Self.note(.optional("size", type, id: "rank")))
    let storage = StoredValue.text(type == .decimal ? "integer" : "real")
    #expect(
      try migrated.destination.rows(
        "SELECT CAST(ZSIZE AS INTEGER), typeof(ZSIZE) FROM ZNOTE ORDER BY Z_PK"
      ) == [[3, storage], [nil, "null"], [-7, storage]]
    )
    #expect(migrated.plan.warnings.isEmpty)
  }

  @Test func `a fraction in a column of integers is not corruption in a later migration (2.6)`()
    throws
  {
    var store = try Self.notes(.integer16, [1, 2])
    store.sql = ["UPDATE ZNOTE SET ZRANK = 2.5 WHERE Z_PK = 2"]
    let migrated = try migrate(
      store,
      to: Self.note(.optional("rank", .integer16), .optional("title"))
    )
    #expect(try migrated.destination.rows(of: "ZNOTE", "ZRANK") == [[1], [2.5]])
  }

  @Test func `a required attribute without a default value needs a value in every row (2.10)`()
    throws
  {
    var store = try Self.notes(.integer16, [1, 2])
    let destination = try Self.note(.required("rank", .integer16))
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZNOTE", "ZRANK") == [[1], [2]]
    )
    store.objects.append(TestObject("Note", 3))
    #expect(
      try refusal(store, to: destination)
        == "Note.rank is required now and without a default value, but would be nil in 1 object; make it optional, "
        + "give it a default value, or write a mapping model"
    )
  }

  @Test func `a new required attribute without a default value needs an empty entity (2.11)`()
    throws
  {
    var store = TestStore(try Self.note())
    let destination = try Self.note(.required("rank", .integer16))
    #expect(try migrate(store, to: destination).destination.rows(of: "ZNOTE", "ZRANK") == [])
    store.objects = [TestObject("Note", 1), TestObject("Note", 2)]
    #expect(
      try refusal(store, to: destination)
        == "Note.rank is new, required and without a default value, but would be nil in 2 objects; make it "
        + "optional, give it a default value, or write a mapping model"
    )
  }

  // formats/migration.md 3.5
  @Test func `each entity of a hierarchy is counted by itself (3.5)`() throws {
    func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
      try .of(
        .init("Animal", isAbstract: true, attributes),
        .init("Cat", under: "Animal"),
        .init("Dog", under: "Animal")
      )
    }
    let store = TestStore(
      try model(.optional("lives", .integer16)),
      TestObject("Cat", 1, ["lives": 9]),
      TestObject("Dog", 2)
    )
    #expect(
      try refusal(store, to: model(.required("lives", .integer16)))
        .hasPrefix(
          "Dog.lives is required now and without a default value, but would be nil in 1 object;"
        )
    )
  }
}
