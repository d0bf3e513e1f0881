import BulkCoding
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import Foundation
import Testing

/// What a migration asks of the sink to which it hands rows.
@Suite("The sink of rows")
struct RowSinkTests {
  /// What is asked for while a plan is carried out.
  private func calls(
    of planned: Planned,
    policies: [String: any EntityMigrationPolicy] = [:]
  ) throws -> [String] {
    var migration = Migration(inTestProcess: planned.plan)
    migration.policies = PolicyRegistry(policies)
    var sinks: [CheckedRowSink] = []
    migration.rowSink = { session, _ in
      let sink = CheckedRowSink(SQLRowSink(session))
      sinks.append(sink)
      return sink
    }
    _ = try migration.run()
    return sinks.flatMap(\.calls)
  }

  private static func library(_ attributes: [AttributeDescription]) throws -> ManagedObjectModel {
    try ManagedObjectModel.of(
      EntityDescription(
        "Author",
        [.optional("name", .string)],
        [.toMany("books", "Book", inverse: "authors")]
      ),
      EntityDescription("Book", attributes, [.toMany("authors", "Author", inverse: "books")])
    )
  }

  private static func library() throws -> TestStore {
    TestStore(
      try library([.optional("title", .string)]),
      TestObject("Author", 1, ["name": "Ann"], links: ["books": [2, 5]]),
      TestObject("Book", 2, ["title": "x"]),
      TestObject("Book", 5, ["title": "y"])
    )
  }

  @Test func `tables that stay as they are and those that change are filled`() throws {
    var store = try Self.library()
    store.sql = ["CREATE TABLE own (a)"]
    let destination = try Self.library([
      .optional("title", .string), .optional("pages", .integer32),
    ])
    let calls = try calls(of: try Planned(store, to: destination))
    #expect(
      calls == [
        "fill ZAUTHOR from ZAUTHOR", "fill ZBOOK from ZBOOK", "fill Z_1BOOKS from Z_1BOOKS",
        "make Z_1BOOKS_Z_2BOOKS_INDEX", "copy own",
      ]
    )
  }

  @Test func `a store that is not what its model says is kept, and not published`() throws {
    let planned = try Planned(
      try Self.library(),
      to: try Self.library([.optional("title", .string), .optional("pages", .integer32)])
    )
    var migration = Migration(inTestProcess: planned.plan)
    migration.minimumRowsForCheckpoints = 0
    migration.rowSink = { session, _ in
      let sink = CheckedRowSink(SQLRowSink(session))
      sink.forgotten = "Z_1BOOKS_Z_2BOOKS_INDEX"
      return sink
    }
    let error = #expect(throws: MigrationError.self) { try migration.run() }
    #expect(
      error?.description.hasSuffix(
        "\n  Z_1BOOKS: expected CREATE INDEX Z_1BOOKS_Z_2BOOKS_INDEX ON Z_1BOOKS (Z_2BOOKS, Z_1AUTHORS), "
          + "found nothing"
      ) == true,
      "\(error?.description ?? "")"
    )
    let left = try planned.directory.contents()
    #expect(left.contains { $0.contains(".bulkmigrate/") }, "\(left)")
    #expect(!left.contains((planned.plan.destination.store as NSString).lastPathComponent))
  }

  @Test func `evaluated rows, transfers and pairs fill tables; indexes follow`() throws {
    let planned = try Planned(
      try Self.library(),
      to: try Self.library([.optional("title", .string)]),
      by: [
        .of(
          "Author",
          "Author",
          ["name": "uppercase:($source.name)"],
          ["books": instances("BookToBook", "$source.books")]
        ),
        .of("Book", "Book", where: "title != 'y'", ["title": "$source.title"]),
      ]
    )
    let calls = try calls(of: planned)
    #expect(
      calls == [
        "fill ZAUTHOR", "fill ZBOOK from ZBOOK", "fill Z_1BOOKS",
        "make Z_1BOOKS_Z_2BOOKS_INDEX",
      ]
    )
  }

  /// Makes one more object for each.
  private struct Twice: EntityMigrationPolicy {
    func createDestinationInstances(
      forSource source: borrowing SourceInstance,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      try manager.insert(
        try manager.evaluate(mapping, forSource: source),
        forSource: source,
        in: mapping
      )
      try manager.insert(try manager.makeInstance(ofEntity: "Book"))
    }
  }

  @Test func `what a policy makes comes object by object, its relationships as pairs`() throws {
    let planned = try Planned(
      try Self.library(),
      to: try Self.library([.optional("title", .string)]),
      by: [
        .of("Author", "Author", policy: "Twice", ["name": "$source.name"]),
        .of("Book", "Book", [:], ["authors": instances("AuthorToAuthor", "$source.authors")]),
      ]
    )
    let calls = try calls(of: planned, policies: ["Notes.Twice": Twice()])
    #expect(
      calls == [
        "insert into ZAUTHOR", "insert into ZBOOK", "fill ZBOOK from ZBOOK", "fill Z_1BOOKS",
        "make Z_1BOOKS_Z_2BOOKS_INDEX",
      ]
    )
  }
}
