import BulkTestSupport
import Testing

@Suite("New uniqueness constraints", .tags(.promise26))
struct NewUniquenessTests {
  private static let source = EntityDescription(
    "Note",
    [.optional("title"), .optional("year", .integer16)]
  )

  private static func note(
    _ attributes: [AttributeDescription] = source.attributes,
    unique: [String]...
  ) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", attributes, unique: unique))
  }

  private static func store(
    _ titles: [AttributeValue?] = [],
    unique: [[String]] = []
  ) throws -> TestStore {
    var store = TestStore(
      try .of(EntityDescription("Note", source.attributes, unique: unique))
    )
    for (index, title) in titles.enumerated() {
      let values = title.map { ["title": $0] } ?? [:]
      store.objects.append(TestObject("Note", Int64(index) + 1, values))
    }
    return store
  }

  private static let differs = "Note.title must be unique in the destination, but "

  /// No more than five are named.
  @Test(
    arguments: [
      (
        ["a", "b", "a", nil, nil, "b", "a"],
        differs + "3 objects have the same as another: Note 3, Note 6, Note 7; "
          + "the run will make nothing"
      ),
      (
        ["a", "a", "a", "a", "a", "a", "a"],
        differs + "6 objects have the same as another: Note 2, Note 3, Note 4, Note 5, Note 6, …; "
          + "the run will make nothing"
      ), (["a", "b", nil, nil], ""),
    ] as [([AttributeValue?], String)]
  )
  func `rows of an inferred migration are counted and named by the plan`(
    titles: [AttributeValue?],
    warning: String
  ) throws {
    let planned = try Planned(Self.store(titles), to: Self.note(unique: ["title"]))
    #expect(planned.plan.warnings == [warning].filter { !$0.isEmpty })
  }

  @Test func `a constraint that the source has holds without a look`() throws {
    #expect(
      try Planned(
        Self.store(["a", "b"], unique: [["title"]]),
        to: Self.note(Self.source.attributes + [.optional("body")], unique: ["title"])
      ).plan.warnings == []
    )
  }

  @Test func `values of several attributes are compared together`() throws {
    var store = try Self.store()
    store.objects = [
      TestObject("Note", 1, ["title": "a", "year": 1]),
      TestObject("Note", 2, ["title": "a", "year": 2]),
      TestObject("Note", 3, ["title": "a", "year": 1]),
    ]
    #expect(
      try Planned(store, to: Self.note(unique: ["title", "year"])).plan.warnings == [
        "Note.title and Note.year together must be unique in the destination, but 1 object has the same "
          + "as another: Note 3; the run will make nothing"
      ]
    )
  }

  // formats/migration.md 3.2
  @Test func `the run of an inferred migration names the rows`() throws {
    let planned = try Planned(Self.store(["a", "b", "a", "b"]), to: Self.note(unique: ["title"]))
    #expect(
      failure(of: planned) == """
        2 values break rules of the destination's model; no destination was made:
          Note.title: unique: broken by 2 objects
            key 3: a
            key 4: b
        all are listed in DIR/destination.sqlite.bulkmigrate/violations.jsonl
        """
    )
  }

  private static func pictures() throws -> TestStore {
    TestStore(
      try .of(.init("Image", [.optional("title")]), .init("Photo", [.optional("title")])),
      TestObject("Image", 1, ["title": "a"]),
      TestObject("Image", 2, ["title": "b"]),
      TestObject("Photo", 1, ["title": "a"]),
      TestObject("Photo", 2, ["title": "c"])
    )
  }

  /// Filters may leave rows out, and expressions give values that only the run knows.
  @Test(
    arguments: [
      (
        nil, "$source.title",
        "Picture.title must be unique in the destination, but 1 object has the same as another: Photo 1; "
          + "the run will make nothing"
      ), ("title != 'a'", "$source.title", ""),
      (
        "title MATCHES 'b'", "$source.title",
        "Picture.title must be unique in the destination, but at most 1 object has the same as another: "
          + "Photo 1; where one of them is left, the run makes nothing"
      ),
      (
        nil, "uppercase($source.title)",
        "Picture.title must be unique in the destination; whether it is, only the run can tell"
      ),
    ] as [(String?, String, String)]
  )
  func `rows of several mappings are compared with each other`(
    filter: String?,
    title: String,
    warning: String
  ) throws {
    let planned = try Planned(
      Self.pictures(),
      to: .of(EntityDescription("Picture", [.optional("title")], unique: [["title"]])),
      by: [
        .of("Image", "Picture", ["title": "$source.title"]),
        .of("Photo", "Picture", where: filter, ["title": title]),
      ]
    )
    #expect(planned.plan.warnings == [warning].filter { !$0.isEmpty })
  }
}
