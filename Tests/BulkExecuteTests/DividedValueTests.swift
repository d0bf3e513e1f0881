import BulkTestSupport
import Testing

/// Entity mappings that make an object for each element of a collection.
struct DividedValueTests {
  private static let note = EntityDescription(
    "Note",
    [.optional("text"), .optional("words"), .optional("first"), .optional("second")]
  )

  private static let tag = EntityDescription(
    "Tag",
    [.optional("name"), .optional("origin")],
    [.toMany("notes", "Note.tags")]
  )

  private static func tagged(isOrdered: Bool) -> EntityDescription {
    EntityDescription(
      "Note",
      [.optional("text")],
      [.toMany("tags", "Tag.notes", isOrdered: isOrdered)]
    )
  }

  private static func store() throws -> TestStore {
    TestStore(
      try ManagedObjectModel.of(note),
      TestObject("Note", 1, ["text": "one", "words": "blue,red,green", "first": "x"]),
      TestObject("Note", 3, ["text": "two"]),
      TestObject("Note", 4, ["text": "three", "words": "red,amber,blue,red", "second": "y"]),
      TestObject("Note", 9, ["text": "four", "words": "amber", "first": "y", "second": "x"])
    )
  }

  private static let words = "FUNCTION($source.words, \"componentsSeparatedByString:\", \",\")"

  private static func migrated(
    forEach elements: String,
    unique: [String]? = nil,
    keeping kept: ObjectUniqueness.Kept = .first,
    where filter: String? = nil,
    isOrdered: Bool = true
  ) throws -> Migrated {
    try migrate(
      store(),
      to: try ManagedObjectModel.of(tag, tagged(isOrdered: isOrdered)),
      by: .of(
        "Note",
        "Note",
        ["text": "$source.text"],
        ["tags": instances("NoteToTag", "$source")]
      ),
      .of(
        "Note",
        "Tag",
        where: filter,
        forEach: elements,
        unique: unique,
        keeping: kept,
        ["name": "$element", "origin": "$source.text"]
      )
    )
  }

  private static func tags(_ migrated: Migrated) throws -> [[StoredValue]] {
    try migrated.destination.rows(of: "ZTAG", "Z_PK", "ZNAME", "ZORIGIN")
  }

  private static func links(_ migrated: Migrated) throws -> [[StoredValue]] {
    try migrated.destination.rows(
      "SELECT Z_1NOTES, Z_2TAGS FROM Z_1TAGS ORDER BY Z_1NOTES, Z_FOK_2TAGS"
    )
  }

  @Test func `each part of a text becomes an object, in order`() throws {
    let migrated = try Self.migrated(forEach: Self.words)
    #expect(
      try Self.tags(migrated) == [
        [1, "blue", "one"], [2, "red", "one"], [3, "green", "one"], [4, "red", "three"],
        [5, "amber", "three"], [6, "blue", "three"], [7, "red", "three"], [8, "amber", "four"],
      ]
    )
    #expect(
      try Self.links(migrated) == [
        [1, 1], [1, 2], [1, 3], [4, 4], [4, 5], [4, 6], [4, 7], [9, 8],
      ]
    )
    // Note 3 has no words, and loses none.
    #expect(migrated.losses.isEmpty && migrated.overlooked.isEmpty)
  }

  @Test func `parts that are there already are found`() throws {
    let migrated = try Self.migrated(forEach: Self.words, unique: ["name"])
    #expect(
      try Self.tags(migrated) == [
        [1, "blue", "one"], [2, "red", "one"], [3, "green", "one"], [5, "amber", "three"],
      ]
    )
    #expect(
      try Self.links(migrated) == [[1, 1], [1, 2], [1, 3], [4, 2], [4, 5], [4, 1], [9, 5]]
    )
  }

  @Test func `a part that breaks a rule is told by the object whose part it is`() throws {
    var name = AttributeDescription.optional("name")
    name.validationPredicates = [try ValuePredicate(format: "length <= 4")]
    let planned = try Planned(
      try Self.store(),
      to: .of(EntityDescription("Tag", [name])),
      by: [.of("Note", "Tag", forEach: Self.words, ["name": "$element"])]
    )
    let record = try planned.run {
      $0.lossLimit = .all
      $0.rejects = RejectPolicy(.quarantine)
    }
    #expect(record.rejected == 3)
    let file = "\(try #require(record.rejectFolderPath))/Note.jsonl"
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(
      lines.map { $0.prefix(28) } == [1, 4, 9].map { #"{"entity": "Note", "key": \#($0),"# }
    )
    #expect(lines[1].contains(#""words": "red,amber,blue,red""#))
  }

  @Test func `keys and URIs are those of the source object, whatever the place of the element`()
    throws
  {
    let migrated = try migrate(
      try Self.store(),
      to: try ManagedObjectModel.of(
        EntityDescription(
          "Tag",
          [.optional("name"), .optional("key", .integer64), .optional("uri")]
        )
      ),
      by: .of(
        "Note",
        "Tag",
        forEach: Self.words,
        [
          "name": "$element", "key": "rowKey()",
          "uri": "$source.objectID.URIRepresentation.lastPathComponent",
        ]
      )
    )
    #expect(
      try migrated.destination.rows("SELECT DISTINCT ZKEY, ZURI FROM ZTAG ORDER BY 1")
        == [[1, "p1"], [4, "p4"], [9, "p9"]]
    )
  }

  /// The second element of note 4 is not a number; note 2, whose key the tag of another note has, is not its object.
  @Test func `an element whose value cannot be computed is not left out alone`() throws {
    let planned = try Planned(
      Self.store(),
      to: .of(EntityDescription("Tag", [.optional("number", .integer64)])),
      by: [
        .of(
          "Note",
          "Tag",
          forEach: "{ \"1\", $source.text }",
          ["number": "CAST($element, \"NSNumber\")"]
        )
      ]
    )
    let text = failure(of: planned) { $0.rejects = RejectPolicy(.quarantine) }
    #expect(text.contains("; no destination was made:\n"))
    #expect(!planned.isMade)
  }

  /// The elements of a text of empty parts take many times as much memory as the text.
  @Test func `parts that take more memory than a page has are all there`() throws {
    var store = TestStore(try ManagedObjectModel.of(Self.note))
    store.objects = (1...60).map { note in
      let parts = String(repeating: ",", count: 4_000) + "\(note)"
      return TestObject("Note", Int64(note), ["text": .string("\(note)"), "words": .string(parts)])
    }
    let migrated = try migrate(
      store,
      to: try ManagedObjectModel.of(Self.tag, Self.tagged(isOrdered: false)),
      by: .of("Note", "Note", ["text": "$source.text"]),
      .of(
        "Note",
        "Tag",
        forEach: Self.words,
        unique: ["name"],
        ["name": "$element", "origin": "$source.text"]
      )
    )
    #expect(
      try migrated.destination.rows("SELECT ZNAME FROM ZTAG WHERE ZNAME != '' ORDER BY Z_PK")
        == (1...60).map { [.text("\($0)")] }
    )
  }

  @Test func `the last of the parts that agree may be kept`() throws {
    let migrated = try Self.migrated(forEach: Self.words, unique: ["name"], keeping: .last)
    #expect(
      try Self.tags(migrated) == [
        [3, "green", "one"], [6, "blue", "three"], [7, "red", "three"], [8, "amber", "four"],
      ]
    )
    #expect(
      try Self.links(migrated) == [[1, 6], [1, 7], [1, 3], [4, 7], [4, 8], [4, 6], [9, 8]]
    )
  }

  @Test func `several values become objects, and nil becomes none`() throws {
    let migrated = try Self.migrated(
      forEach: "{ $source.first, $source.second }",
      unique: ["name"],
      isOrdered: false
    )
    #expect(try Self.tags(migrated) == [[1, "x", "one"], [2, "y", "three"]])
    #expect(
      try migrated.destination.rows("SELECT Z_1NOTES, Z_2TAGS FROM Z_1TAGS ORDER BY 1, 2")
        == [[1, 1], [4, 2], [9, 1], [9, 2]]
    )
  }

  @Test(arguments: ["text != \"one\"", "text MATCHES \"t.*|four\""])
  func `a filter chooses whose values are divided`(filter: String) throws {
    let migrated = try Self.migrated(forEach: Self.words, unique: ["name"], where: filter)
    #expect(
      try Self.tags(migrated) == [
        [1, "red", "three"], [2, "amber", "three"], [3, "blue", "three"],
      ]
    )
    #expect(try Self.links(migrated) == [[4, 1], [4, 2], [4, 3], [9, 2]])
  }

  @Test func `elements share objects with those of other mappings`() throws {
    let word = EntityDescription("Word", [.optional("name")])
    let migrated = try migrate(
      Self.store(),
      to: try ManagedObjectModel.of(word),
      by: .of("Note", "Word", named: "A", unique: ["name"], ["name": "$source.second"]),
      .of(
        "Note",
        "Word",
        named: "B",
        forEach: "{ $source.first, \"z\" }",
        unique: ["name"],
        ["name": "$element"]
      )
    )
    let words = try migrated.destination.rows(of: "ZWORD", "Z_PK", "ZNAME")
    // New keys begin after 9: those of x and z for note 1, of z for 3 and 4, of y and z for 9.
    #expect(words == [[1, nil], [4, "y"], [9, "x"], [11, "z"]])
  }

  @Test func `a plan lists what objects are made of`() throws {
    let planned = try Planned(
      Self.store(),
      to: try ManagedObjectModel.of(Self.tag, Self.tagged(isOrdered: true)),
      by: [
        .of("Note", "Note", ["text": "$source.text"]),
        .of("Note", "Tag", forEach: Self.words, ["name": "$element"]),
      ]
    )
    let change = planned.plan.passes.flatMap(\.entities).first { $0.entity == "Tag" }
    #expect(change?.forEach == Self.words)
    #expect(change?.isUpperBound == nil, "there may be more")
  }
}
