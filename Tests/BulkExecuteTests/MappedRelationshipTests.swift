import BulkTestSupport
import Testing

/// Relationships that mapping models describe: whichever side says it, however it is stored.
struct MappedRelationshipTests {
  private static let any =
    "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "

  private static func library(
    isOrdered: Bool = false,
    _ attributes: AttributeDescription...
  ) throws -> ManagedObjectModel {
    try .of(
      .init("Author", attributes, [.toMany("books", "Book.author", isOrdered: isOrdered)]),
      .init("Book", [], [.toOne("author", "Author.books")])
    )
  }

  private static func library(_ model: ManagedObjectModel) -> TestStore {
    TestStore(
      model,
      TestObject("Author", 1, links: ["books": [5, 2]]),
      TestObject("Author", 3, links: ["books": [4]]),
      TestObject("Book", 9)
    )
  }

  /// Two tags, and notes, of which the first has both and others have the second.
  private static func notes(_ keys: Int64...) throws -> TestStore {
    var store = TestStore(
      try .of(
        .init("Note", [], [.toMany("tags", "Tag.notes")]),
        .init("Tag", [.optional("name")], [.toMany("notes", "Note.tags")])
      ),
      TestObject("Tag", 1, ["name": "tag 1"]),
      TestObject("Tag", 2, ["name": "tag 2"])
    )
    store.objects += keys.map { TestObject("Note", $0, links: ["tags": $0 == 1 ? [1, 2] : [2]]) }
    return store
  }

  /// The key of the last book is dangling.
  @Test(arguments: [true, false])
  func `either side alone sets the keys of members`(isToMany: Bool) throws {
    var store = Self.library(try Self.library())
    store.sql = ["UPDATE ZBOOK SET ZAUTHOR = 77 WHERE Z_PK = 9"]
    let works = ["works": instances("BookToBook", "$source.books")]
    let writer = ["writer": instances("AuthorToAuthor", "$source.author")]
    let migrated = try migrate(
      store,
      to: .of(
        .init("Author", [], [.toMany("works", "Book.writer")]),
        .init("Book", [], [.toOne("writer", "Author.works")])
      ),
      by: .of("Author", "Author", [:], isToMany ? works : [:]),
      .of("Book", "Book", [:], isToMany ? [:] : writer)
    )
    #expect(
      try migrated.destination.rows(of: "ZBOOK", "Z_PK", "ZWRITER")
        == [[2, 1], [4, 3], [5, 1], [9, nil]]
    )
  }

  @Test func `an ordered relationship keeps its order under new places`() throws {
    let source = try Self.library(isOrdered: true)
    var store = Self.library(source)
    store.sql = ["UPDATE ZBOOK SET Z_FOK_AUTHOR = Z_FOK_AUTHOR * 3"]
    let migrated = try migrate(
      store,
      to: Self.library(isOrdered: true, .optional("name")),
      by: .of("Book", "Book", [:], ["author": Self.any + "\"author\", $source.author)"]),
      .of("Author", "Author")
    )
    #expect(
      try migrated.destination.rows(of: "ZBOOK", "Z_PK", "ZAUTHOR", "Z_FOK_AUTHOR")
        == [[2, 1, 3072], [4, 3, 2048], [5, 1, 2048], [9, nil, nil]]
    )
  }

  // formats/migration.md 8.17
  @Test func `two mappings into one table get ranges of keys`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Cat", [], [.toOne("owner", "Person.cats")]),
      EntityDescription("Dog", [], [.toOne("owner", "Person.dogs")]),
      EntityDescription("Person", [], [.toMany("cats", "Cat.owner"), .toMany("dogs", "Dog.owner")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Person", [], [.toMany("pets", "Pet.owner")]),
      EntityDescription("Pet", [], [.toOne("owner", "Person.pets")]),
      EntityDescription("Cat", under: "Pet"),
      EntityDescription("Dog", under: "Pet")
    )
    let store = TestStore(
      source,
      TestObject("Person", 1, links: ["cats": [1, 7], "dogs": [2]]),
      TestObject("Dog", 3)
    )
    let owner = ["owner": instances("PersonToPerson", "$source.owner")]
    let migrated = try migrate(
      store,
      to: destination,
      by: .of("Cat", "Cat", [:], owner),
      .of("Dog", "Dog", [:], owner),
      .of("Person", "Person")
    )
    let numbers = try migrated.destination.rows(of: "Z_PRIMARYKEY", "Z_NAME", "Z_ENT", "Z_MAX")
    #expect(numbers == [["Person", 1, 1], ["Pet", 2, 10], ["Cat", 3, 0], ["Dog", 4, 0]])
    #expect(
      try migrated.destination.rows(of: "ZPET", "Z_PK", "Z_ENT", "ZOWNER")
        == [[1, 3, 1], [7, 3, 1], [9, 4, 1], [10, 4, nil]]
    )
  }

  /// The range of the second mapping begins after that of the first, whatever the least key is.
  @Test func `the least key that SQLite can hold is a key like any other`() throws {
    let model = try ManagedObjectModel.of(EntityDescription("A"), EntityDescription("B"))
    let store = TestStore(model, TestObject("A", .min), TestObject("A", 7), TestObject("B", 1))
    let made = try migrate(
      store,
      to: .of(EntityDescription("Tag")),
      by: .of("A", "Tag"),
      .of("B", "Tag")
    ).destination
    #expect(
      try made.rows("SELECT Z_PK FROM ZTAG ORDER BY 1")
        == [[-9_223_372_036_854_775_808], [7], [8]]
    )
  }

  @Test func `keys that do not fit behind those of another mapping are refused`() throws {
    let model = try ManagedObjectModel.of(EntityDescription("A"), EntityDescription("B"))
    let store = TestStore(model, TestObject("A", 1), TestObject("B", .min), TestObject("B", .max))
    let text = failure {
      try migrate(store, to: .of(EntityDescription("Tag")), by: .of("A", "Tag"), .of("B", "Tag"))
    }
    #expect(text == "entity mapping BToTag: no keys are left in table ZTAG")
  }

  @Test func `a path over two relationships leads to the objects at its end`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("City", [], [.toOne("country", "Country.cities")]),
      EntityDescription("Continent", [], [.toMany("countries", "Country.continent")]),
      EntityDescription(
        "Country",
        [],
        [.toOne("continent", "Continent.countries"), .toMany("cities", "City.country")]
      )
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("City", [], [.toOne("continent", "Continent.cities")]),
      EntityDescription("Continent", [], [.toMany("cities", "City.continent")])
    )
    let store = TestStore(
      source,
      TestObject("Continent", 8, links: ["countries": [3]]),
      TestObject("Country", 3, links: ["cities": [1, 2]]),
      TestObject("Country", 4, links: ["cities": [5]]),
      TestObject("City", 6)
    )
    let expected: [[StoredValue]] = [[1, 8], [2, 8], [5, nil], [6, nil]]
    let fromCity = try migrate(
      store,
      to: destination,
      by: .of(
        "City",
        "City",
        [:],
        ["continent": instances("ContinentToContinent", "$source.country.continent")]
      ),
      .of("Continent", "Continent")
    )
    #expect(try fromCity.destination.rows(of: "ZCITY", "Z_PK", "ZCONTINENT") == expected)
    let fromContinent = try migrate(
      store,
      to: destination,
      by: .of("City", "City"),
      .of(
        "Continent",
        "Continent",
        [:],
        ["cities": instances("CityToCity", "$source.countries.@distinctUnionOfSets.cities")]
      )
    )
    #expect(try fromContinent.destination.rows(of: "ZCITY", "Z_PK", "ZCONTINENT") == expected)
  }

  @Test func `a dangling key becomes nil in a relationship without inverse`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Author", [], [.toMany("books", "Book")]),
      EntityDescription("Book")
    )
    var store = TestStore(
      source,
      TestObject("Author", 1, links: ["books": [5, 2]]),
    )
    store.sql = ["UPDATE ZBOOK SET Z1BOOKS = 77 WHERE Z_PK = 5"]
    let migrated = try migrate(
      store,
      to: try ManagedObjectModel.of(
        EntityDescription("Author", [.optional("name")], [.toMany("books", "Book")]),
        EntityDescription("Book")
      ),
      by: .of("Author", "Author", [:], ["books": instances("BookToBook", "$source.books")]),
      .of("Book", "Book")
    )
    #expect(try migrated.destination.rows(of: "ZBOOK", "Z_PK", "Z1BOOKS") == [[2, 1], [5, nil]])
  }

  @Test func `objects of a subentity alone are owners, if only those are made`() throws {
    func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
      try .of(
        .init("Author", attributes, [.toMany("books", "Book.author")]),
        .init("Poet", under: "Author"),
        .init("Book", [], [.toOne("author", "Author.books")])
      )
    }
    let migrated = try migrate(
      TestStore(
        try model(),
        TestObject("Author", 1, links: ["books": [7]]),
        TestObject("Poet", 2, links: ["books": [8]]),
      ),
      to: try model(.optional("name")),
      by: .of("Poet", "Poet", [:], ["books": instances("BookToBook", "$source.books")]),
      .of("Book", "Book")
    )
    #expect(
      try migrated.destination.rows(of: "ZBOOK", "Z_PK", "ZAUTHOR") == [[7, nil], [8, 2]]
    )
  }

  @Test func `dangling pairs are left out`() throws {
    var store = try Self.notes(1, 2)
    store.sql = ["INSERT INTO Z_1TAGS VALUES (1, 77)", "INSERT INTO Z_1TAGS VALUES (77, 1)"]
    let migrated = try migrate(
      store,
      to: .of(
        .init("Note", [], [.toMany("labels", "Tag.notes")]),
        .init("Tag", [], [.toMany("notes", "Note.labels")])
      ),
      by: .of("Note", "Note", [:], ["labels": instances("TagToTag", "$source.tags")]),
      .of("Tag", "Tag", [:], ["notes": instances("NoteToNote", "$source.notes")])
    )
    #expect(
      try migrated.destination.rows(of: "Z_1LABELS", "Z_1NOTES", "Z_2LABELS")
        == [[1, 1], [1, 2], [2, 2]]
    )
  }

  @Test func `pairs follow objects whose keys move`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Cat", [], [.toMany("toys", "Toy.cats")]),
      EntityDescription("Dog", [], [.toMany("toys", "Toy.dogs")]),
      EntityDescription("Toy", [], [.toMany("cats", "Cat.toys"), .toMany("dogs", "Dog.toys")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Pet", [], [.toMany("toys", "Toy.pets")]),
      EntityDescription("Toy", [], [.toMany("pets", "Pet.toys")])
    )
    let store = TestStore(
      source,
      TestObject("Cat", 1, links: ["toys": [1, 2]]),
      TestObject("Cat", 2),
      TestObject("Dog", 1, links: ["toys": [2]]),
    )
    let migrated = try migrate(
      store,
      to: destination,
      by: .of("Cat", "Pet", [:], ["toys": instances("ToyToToy", "$source.toys")]),
      .of("Dog", "Pet", [:], ["toys": instances("ToyToToy", "$source.toys")]),
      .of("Toy", "Toy")
    )
    #expect(try migrated.destination.rows(of: "ZPET", "Z_PK") == [[1], [2], [3]])
    #expect(
      try migrated.destination.rows(of: "Z_1TOYS", "Z_1PETS", "Z_2TOYS")
        == [[1, 1], [1, 2], [3, 2]]
    )
  }

  @Test func `objects that are not made fall out of relationships to many`() throws {
    let migrated = try migrate(
      Self.notes(1, 2),
      to: .of(
        .init("Label", [], [.toMany("notes", "Note.labels")]),
        .init("Note", [], [.toMany("labels", "Label.notes")])
      ),
      by: .of("Note", "Note", [:], ["labels": instances("TagToLabel", "$source.tags")]),
      .of("Tag", "Label", where: "name == 'tag 1'")
    )
    #expect(
      try migrated.destination.rows(of: "Z_1NOTES", "Z_1LABELS", "Z_2NOTES") == [[1, 1]]
    )
    #expect(migrated.losses == ["Note.tags": 2])
  }

  /// Labels are made of the same tags, but the relationship does not lead to them.
  // formats/migration.md 8.14
  @Test func `a relationship gets only objects of the entities that it leads to`() throws {
    let store = try Self.notes(1)
    let migrated = try migrate(
      store,
      to: ManagedObjectModel(entities: store.model.entities + [EntityDescription("Label")]),
      by: .of("Note", "Note", [:], ["tags": Self.any + "\"tags\", $source.tags)"]),
      .of("Tag", "Label"),
      .of("Tag", "Tag")
    )
    #expect(
      try migrated.destination.rows(of: "Z_2TAGS", "Z_2NOTES", "Z_3TAGS") == [[1, 1], [1, 2]]
    )
    #expect(try migrated.destination.rows(of: "ZLABEL", "Z_PK") == [[1], [2]])
  }

  @Test func `objects that are not made leave nil behind, and are counted`() throws {
    let store = TestStore(
      try Self.library(.optional("name")),
      TestObject("Author", 1, ["name": "Ann"], links: ["books": [2, 5]]),
      TestObject("Author", 3, links: ["books": [4]]),
      TestObject("Book", 9)
    )
    // Whichever side says it, and whether or not the authors are there when the books are written.
    let author = instances("AuthorToAuthor", "$source.author")
    let books = instances("BookToBook", "$source.books")
    for (authorValue, bookValue) in [(nil, author), (books, nil)] {
      let migrated = try migrate(
        store,
        to: Self.library(),
        by: .of("Book", "Book", [:], bookValue.map { ["author": $0] } ?? [:]),
        .of(
          "Author",
          "Author",
          where: "name != nil",
          [:],
          authorValue.map { ["books": $0] } ?? [:]
        )
      )
      #expect(
        try migrated.destination.rows(of: "ZBOOK", "Z_PK", "ZAUTHOR")
          == [[2, 1], [4, nil], [5, 1], [9, nil]]
      )
      #expect(migrated.losses == ["Book.author": 1])
    }
  }

  @Test func `objects that refer to each other before they are all made are linked later`() throws {
    let tree = EntityDescription(
      "Node",
      [.optional("name")],
      [.toOne("parent", "Node.children"), .toMany("children", "Node.parent")]
    )
    let store = TestStore(
      try ManagedObjectModel.of(tree),
      TestObject("Node", 1, ["name": "a"], links: ["parent": [3]]),
      TestObject("Node", 2, links: ["parent": [1]]),
      TestObject("Node", 3, ["name": "c"], links: ["parent": [1]]),
      TestObject("Node", 4, ["name": "d"], links: ["parent": [2]])
    )
    let migrated = try migrate(
      store,
      to: try ManagedObjectModel.of(tree, EntityDescription("New")),
      by: .of(
        "Node",
        "Node",
        where: "name != nil",
        ["name": "$source.name"],
        ["parent": instances("NodeToNode", "$source.parent")]
      )
    )
    #expect(
      try migrated.destination.rows(of: "ZNODE", "Z_PK", "ZPARENT", "ZNAME")
        == [[1, 3, "a"], [3, 1, "c"], [4, nil, "d"]]
    )
    #expect(migrated.losses == ["Node.parent": 1])
  }
}
