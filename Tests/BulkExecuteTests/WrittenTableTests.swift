import BulkCoding
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import BulkVersions
import Testing

/// What a plan says of pages is what a run does.
@Suite("Tables and indexes that are written as pages")
struct WrittenTableTests {
  private static func library(
    _ title: AttributeDescription = .optional("title"),
    unique: [[String]] = []
  ) throws -> ManagedObjectModel {
    try .of(
      EntityDescription(
        "Author",
        [.optional("name"), .optional("photo", .binaryData)],
        [.toMany("books", "Book", inverse: "authors"), .toOne("home", "Town", inverse: "authors")]
      ),
      EntityDescription(
        "Book",
        [title],
        [.toMany("authors", "Author", inverse: "books")],
        unique: unique
      ),
      EntityDescription("Town", [], [.toMany("authors", "Author", inverse: "home")])
    )
  }

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

  /// Runs a plan, and compares what it says with what the sink did.
  ///
  /// - Returns: What the plan says, one line for each table or index.
  private func written(
    _ planned: Planned,
    policies: [String: any EntityMigrationPolicy] = [:]
  ) throws -> [String] {
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
    let said = try #require(planned.plan.written)
    if let sink = sinks.first {
      for table in said { compare(table, sink) }
      #expect(sinks.count == 1)
    } else {
      #expect(!said.contains { $0.rows == .pages || $0.rows == .both })
    }
    return said.flatMap { table in
      ["\(table.table) \(table.rows.rawValue)" + (table.reason.map { ": \($0)" } ?? "")]
        + table.indexes.map { index in
          "  \(index.index) \(index.isBuiltAsPages ? "pages" : "sqlite")"
            + (index.reason.map { ": \($0)" } ?? "")
        }
    }
  }

  private func compare(_ table: MigrationPlan.WrittenTable, _ sink: PageRowSink) {
    let (hasPages, isInserted) = (
      sink.writtenAsPages.contains(table.table), sink.inserted.contains(table.table)
    )
    #expect(hasPages == (table.rows == .pages || table.rows == .both), "\(table)")
    #expect(isInserted == (table.rows == .sqlite || table.rows == .both), "\(table)")
    #expect(isInserted == (table.reason != nil), "\(table)")
    for index in table.indexes {
      #expect(sink.writtenAsPages.contains(index.index) == index.isBuiltAsPages, "\(index)")
      #expect(index.isBuiltAsPages == (index.reason == nil), "\(index)")
    }
  }

  @Test func `an inferred mapping fills all tables with pages`() throws {
    var store = try Self.store()
    store.sql = ["CREATE TABLE own (a INTEGER UNIQUE)"]
    let planned = try plan(store, to: try Self.library(unique: [["title"]]), by: .rebuild)
    #expect(
      try written(planned) == [
        "ZAUTHOR pages", "  ZAUTHOR_ZHOME_INDEX pages", "ZBOOK pages",
        "  Z_Book_UNIQUE_title sqlite: it is unique", "ZTOWN pages", "Z_1BOOKS pages",
        "  sqlite_autoindex_Z_1BOOKS_1 pages", "  Z_1BOOKS_Z_2BOOKS_INDEX pages",
        "own sqlite: no model explains it",
      ]
    )
  }

  @Test func `large values are streamed into a table by SQLite`() throws {
    let planned = try plan(
      try Self.store(photo: 2_000_000),
      to: try Self.library(.optional("name", .string, id: "title")),
      by: .rebuild
    )
    #expect(
      try written(planned) == [
        "ZAUTHOR sqlite: large values are streamed",
        "  ZAUTHOR_ZHOME_INDEX sqlite: SQLite inserts the rows of its table", "ZBOOK pages",
        "ZTOWN pages", "Z_1BOOKS pages", "  sqlite_autoindex_Z_1BOOKS_1 pages",
        "  Z_1BOOKS_Z_2BOOKS_INDEX pages",
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
        "ZAUTHOR pages", "  ZAUTHOR_ZHOME_INDEX pages",
        "ZBOOK both: it is filled more than once", "ZTOWN pages",
        "Z_1BOOKS none", "  sqlite_autoindex_Z_1BOOKS_1 sqlite: its table gets no rows",
        "  Z_1BOOKS_Z_2BOOKS_INDEX sqlite: its table gets no rows",
      ]
    )
  }

  /// Makes what the mapping says.
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
    let said = try written(planned, policies: ["Notes.Plain": Plain()])
    #expect(
      said.filter { !$0.hasPrefix(" ") } == [
        "ZAUTHOR sqlite: policies insert rows at any time",
        "ZBOOK sqlite: policies insert rows at any time",
        "ZTOWN sqlite: policies insert rows at any time",
        "Z_1BOOKS sqlite: policies insert rows at any time",
      ]
    )
    #expect(said.filter { $0.hasPrefix(" ") }.allSatisfy { $0.contains(" sqlite: ") })
  }

  private static func towns(
    _ author: [String: String],
    _ town: [String: String] = [:],
    where filter: String? = nil
  ) throws -> [String] {
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
        "ZAUTHOR pages", "  ZAUTHOR_ZHOME_INDEX pages", "ZBOOK pages", "ZTOWN pages",
        "Z_1BOOKS pages", "  sqlite_autoindex_Z_1BOOKS_1 pages",
        "  Z_1BOOKS_Z_2BOOKS_INDEX pages",
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
        "ZAUTHOR pages", "  ZAUTHOR_ZHOME_INDEX sqlite: ZHOME is set when all rows are there",
        "ZBOOK pages", "ZTOWN pages", "Z_1BOOKS pages", "  sqlite_autoindex_Z_1BOOKS_1 pages",
        "  Z_1BOOKS_Z_2BOOKS_INDEX pages",
      ]
    )
  }
}
