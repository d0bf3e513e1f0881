import BulkTestSupport
import Testing

/// What a run writes as pages, and what SQLite inserts.
struct WrittenTableTests {
  private static func library(
    _ title: AttributeDescription = .optional("title"),
    unique: [[String]] = []
  ) throws -> ManagedObjectModel {
    try .of(
      .init(
        "Author",
        [.optional("name"), .optional("photo", .binaryData)],
        [.toMany("books", "Book.authors"), .toOne("home", "Town.authors")]
      ),
      .init("Book", [title], [.toMany("authors", "Author.books")], unique: unique),
      .init("Town", [], [.toMany("authors", "Author.home")])
    )
  }

  /// The table of the pairs of authors and books, and its indexes.
  private static let join = ["Z_1BOOKS", "Z_1BOOKS_Z_2BOOKS_INDEX", "sqlite_autoindex_Z_1BOOKS_1"]

  private static func store(photo: Int = 3) throws -> TestStore {
    TestStore(
      try library(),
      TestObject(
        "Author",
        1,
        ["name": "Ann", "photo": .binary([UInt8](repeating: 7, count: photo))],
        links: ["books": [2, 5], "home": [1]]
      ),
      TestObject("Author", 2, ["name": "Bo"], links: ["books": [5]]),
      TestObject("Book", 2, ["title": "x"]),
      TestObject("Book", 5, ["title": "y"]),
      TestObject("Town", 1)
    )
  }

  /// Runs a plan: the tables and indexes that are written as pages, and the tables into which SQLite inserts rows.
  private func written(
    _ planned: Planned,
    policies: [String: any EntityMigrationPolicy] = [:]
  ) throws -> [[String]] {
    var migration = Migration(inTestProcess: planned.plan)
    migration.policies = PolicyRegistry(policies)
    var sinks: [PageRowSink] = []
    migration.rowSink = { session, fills in
      guard let fills else { return SQLRowSink(session) }
      let sink = PageRowSink(session, fills)
      sinks.append(sink)
      return sink
    }
    _ = try migration.run()
    #expect(sinks.count <= 1)
    return [sinks.first?.writtenAsPages.sorted() ?? [], sinks.first?.inserted.sorted() ?? []]
  }

  @Test func `an inferred mapping fills all tables with pages`() throws {
    var store = try Self.store()
    store.sql = ["CREATE TABLE own (a INTEGER UNIQUE)"]
    let planned = try plan(store, to: try Self.library(unique: [["title"]]), by: .rebuild)
    #expect(
      try written(planned) == [
        ["ZAUTHOR", "ZAUTHOR_ZHOME_INDEX", "ZBOOK", "ZTOWN"] + Self.join, ["own"],
      ]
    )
  }

  @Test func `large values are streamed into a table by SQLite`() throws {
    let planned = try plan(
      try Self.store(photo: 2_000_000),
      to: try Self.library(.optional("name", id: "title")),
      by: .rebuild
    )
    #expect(
      try written(planned) == [
        ["ZBOOK", "ZTOWN"] + Self.join, ["ZAUTHOR"],
      ]
    )
  }

  @Test func `a table into which two mappings write is inserted by SQLite from the second on`()
    throws
  {
    let planned = try Planned(
      try Self.store(),
      to: try Self.library(),
      by: [
        .of(
          "Author",
          "Author",
          ["name": "uppercase:($source.name)"],
          ["home": instances("TownToTown", "$source.home")]
        ),
        .of("Book", "Book", ["title": "$source.title"]),
        .of("Town", "Town"), .of("Author", "Book", named: "Two", ["title": "$source.name"]),
      ]
    )
    #expect(
      try written(planned) == [
        ["ZAUTHOR", "ZAUTHOR_ZHOME_INDEX", "ZBOOK", "ZTOWN"], ["ZBOOK"],
      ]
    )
  }

  private struct Plain: EntityMigrationPolicy {}

  @Test func `with policies SQLite writes everything`() throws {
    let planned = try Planned(
      try Self.store(),
      to: try Self.library(),
      by: [
        .of("Author", "Author", policy: "Plain", ["name": "$source.name"]),
        .of("Book", "Book", ["title": "$source.title"]), .of("Town", "Town"),
      ]
    )
    #expect(try written(planned, policies: ["Notes.Plain": Plain()]) == [[], []])
  }

  private static func towns(
    _ author: [String: String],
    _ town: [String: String] = [:],
    where filter: String? = nil
  ) throws -> [[String]] {
    let planned = try Planned(
      try store(),
      to: try library(),
      by: [
        .of(
          "Author",
          "Author",
          ["name": "$source.name"],
          author.merging(["books": instances("BookToBook", "$source.books")]) { own, _ in own }
        ),
        .of("Book", "Book", ["title": "$source.title"]),
        .of("Town", "Town", named: "One", where: filter, [:], town),
        .of("Town", "Town", named: "Two"),
      ]
    )
    return try WrittenTableTests().written(planned)
  }

  @Test func `rows find the keys to which links lead, and those of a second mapping follow`() throws
  {
    let home =
      "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "
      + "\"home\", $source.home)[FIRST]"
    #expect(
      try Self.towns(["home": home]) == [
        ["ZAUTHOR", "ZAUTHOR_ZHOME_INDEX", "ZBOOK", "ZTOWN"] + Self.join, [],
      ]
    )
  }

  @Test
  func `keys that several assignments decide are set by SQLite, which makes their index then`()
    throws
  {
    let authors =
      "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "
      + "\"authors\", $source.authors)"
    #expect(
      try Self.towns([:], ["authors": authors], where: "authors.@count > 0") == [
        ["ZAUTHOR", "ZBOOK", "ZTOWN"] + Self.join, [],
      ]
    )
  }
}
