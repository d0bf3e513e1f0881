import BulkTestSupport
import Testing

struct RowSinkTests {
  private static func library(_ attributes: [AttributeDescription]) throws -> ManagedObjectModel {
    try ManagedObjectModel.of(
      EntityDescription("Author", [.optional("name")], [.toMany("books", "Book.authors")]),
      EntityDescription("Book", attributes, [.toMany("authors", "Author.books")])
    )
  }

  private static func library() throws -> TestStore {
    TestStore(
      try library([.optional("title")]),
      TestObject("Author", 1, ["name": "Ann"], links: ["books": [2, 5]]),
      TestObject("Book", 2, ["title": "x"]),
      TestObject("Book", 5, ["title": "y"])
    )
  }

  @Test func `a store that is not what its model says is kept, and not published`() throws {
    let planned = try Planned(
      try Self.library(),
      to: try Self.library([.optional("title"), .optional("pages", .integer32)])
    )
    var migration = Migration(inTestProcess: planned.plan)
    migration.minimumRowsForCheckpoints = 0
    migration.rowSink = { session, _ in
      let sink = CheckedRowSink(SQLRowSink(session))
      sink.forgotten = "Z_1BOOKS_Z_2BOOKS_INDEX"
      return sink
    }
    let text = failure { try migration.run() }
    #expect(
      text.hasSuffix(
        "\n  Z_1BOOKS: expected CREATE INDEX Z_1BOOKS_Z_2BOOKS_INDEX ON Z_1BOOKS (Z_2BOOKS, Z_1AUTHORS), "
          + "found nothing"
      ),
      "\(text)"
    )
    let left = try planned.directory.contents()
    #expect(left.contains { $0.contains(".bulkmigrate/") }, "\(left)")
    #expect(!left.contains((planned.plan.destination.store as NSString).lastPathComponent))
  }
}
