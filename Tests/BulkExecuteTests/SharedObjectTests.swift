import BulkTestSupport
import Testing

/// Entity mappings that find or create: source objects that agree become one destination object.
struct SharedObjectTests {
  private static let person = EntityDescription(
    "Person",
    [.optional("name"), .optional("street"), .optional("city"), .optional("zip")]
  )

  private static let address = EntityDescription(
    "Address",
    [.optional("street"), .optional("city"), .optional("zip")],
    [.toMany("people", "Person.address")]
  )

  private static let resident = EntityDescription(
    "Person",
    [.optional("name")],
    [.toOne("address", "Address.people")]
  )

  /// Persons who share addresses, as in the examples of Plans/examples.
  private static func people(last: Int64 = 9) throws -> TestStore {
    TestStore(
      try ManagedObjectModel.of(person),
      TestObject("Person", 1, ["name": "Ann", "street": "High", "city": "Ulm", "zip": "1"]),
      TestObject("Person", 2, ["name": "Bob", "street": "Low", "city": "Ulm"]),
      TestObject("Person", 4, ["name": "Cid", "street": "High", "city": "Ulm", "zip": "2"]),
      TestObject("Person", 5, ["name": "Dee"]),
      TestObject("Person", 7, ["name": "Eve", "street": "High", "city": "Bonn"]),
      TestObject("Person", 8, ["name": "Fay"]),
      TestObject("Person", last, ["name": "Gus", "street": "High", "city": "Ulm"])
    )
  }

  private static func migrated(
    keeping kept: ObjectUniqueness.Kept,
    where filter: String? = nil,
    last: Int64 = 9
  ) throws -> Migrated {
    try migrate(
      people(last: last),
      to: try ManagedObjectModel.of(address, resident),
      by: .of(
        "Person",
        "Person",
        ["name": "$source.name"],
        ["address": instances("PersonToAddress", "$source")]
      ),
      .of(
        "Person",
        "Address",
        where: filter,
        unique: ["street", "city"],
        keeping: kept,
        ["street": "$source.street", "city": "$source.city", "zip": "$source.zip"]
      )
    )
  }

  @Test(
    arguments: [
      (
        .first,
        [
          [1, "High", "Ulm", "1"], [2, "Low", "Ulm", nil], [5, nil, nil, nil],
          [7, "High", "Bonn", nil],
        ], [1, 2, 1, 5, 7, 5, 1]
      ),
      (
        .last,
        [
          [2, "Low", "Ulm", nil], [7, "High", "Bonn", nil], [8, nil, nil, nil],
          [9, "High", "Ulm", nil],
        ], [9, 2, 9, 8, 7, 8, 9]
      ),
    ] as [(ObjectUniqueness.Kept, [[StoredValue]], [StoredValue])]
  )
  func `persons share the address of the first or the last who lives there`(
    kept: ObjectUniqueness.Kept,
    addresses: [[StoredValue]],
    homes: [StoredValue]
  ) throws {
    let made = try Self.migrated(keeping: kept).destination
    #expect(try made.rows(of: "ZADDRESS", "Z_PK", "ZSTREET", "ZCITY", "ZZIP") == addresses)
    let names: [StoredValue] = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus"]
    #expect(
      try made.rows(of: "ZPERSON", "ZNAME", "ZADDRESS") == zip(names, homes).map { [$0, $1] }
    )
  }

  /// With 10^12 what is between the keys cannot be held, so that groups and links are sorted.
  @Test(arguments: [ObjectUniqueness.Kept.first, .last])
  func `keys that are far from one another change nothing else`(kept: ObjectUniqueness.Kept) throws
  {
    let far: Int64 = 1_000_000_000_000
    func rows(last: Int64, _ table: String, _ columns: String...) throws -> [[StoredValue]] {
      let file = try Self.migrated(keeping: kept, last: last).destination
      return try file.rows(
        "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY Z_PK"
      ).map { $0.map { $0 == .integer(9) ? .integer(far) : $0 } }
    }
    for (table, last) in [("ZPERSON", "ZADDRESS"), ("ZADDRESS", "ZZIP")] {
      #expect(
        try rows(last: far, table, "Z_PK", last) == rows(last: 9, table, "Z_PK", last)
      )
    }
  }

  /// SQL cannot match a pattern, so this filter is evaluated.
  @Test(arguments: ["street != nil", "street MATCHES \"[A-Z].*\""])
  func `only what the filter takes is found`(filter: String) throws {
    let migrated = try Self.migrated(keeping: .first, where: filter)
    #expect(
      try migrated.destination.rows(of: "ZADDRESS", "Z_PK", "ZSTREET", "ZCITY", "ZZIP")
        == [[1, "High", "Ulm", "1"], [2, "Low", "Ulm", nil], [7, "High", "Bonn", nil]]
    )
    #expect(
      try migrated.destination.rows(of: "ZPERSON", "Z_PK", "ZADDRESS")
        == [[1, 1], [2, 2], [4, 1], [5, nil], [7, 7], [8, nil], [9, 1]]
    )
    // Who has no address loses none.
    #expect(migrated.losses.isEmpty && migrated.overlooked.isEmpty)
  }

  @Test func `values that are evaluated are found too`() throws {
    let migrated = try migrate(
      Self.people(),
      to: try ManagedObjectModel.of(Self.address, Self.resident),
      by: .of(
        "Person",
        "Address",
        unique: ["city"],
        ["city": "uppercase:($source.street)", "zip": "uppercase:($source.name)"]
      ),
      .of(
        "Person",
        "Person",
        ["name": "$source.name"],
        ["address": instances("PersonToAddress", "$source")]
      )
    )
    #expect(
      try migrated.destination.rows(of: "ZADDRESS", "Z_PK", "ZCITY", "ZZIP")
        == [[1, "HIGH", "ANN"], [2, "LOW", "BOB"], [5, nil, "DEE"]]
    )
    #expect(
      try migrated.destination.rows(of: "ZPERSON", "Z_PK", "ZADDRESS")
        == [[1, 1], [2, 2], [4, 1], [5, 5], [7, 1], [8, 5], [9, 1]]
    )
  }

  /// 2^53 + 1 is not a real number of 64 bits.
  @Test func `integers that become one real number are the same`() throws {
    let point = { EntityDescription("Point", [.optional("x", $0)]) }
    let migrated = try migrate(
      TestStore(
        .of(point(.integer64)),
        .each("Point", ["x": 9_007_199_254_740_992], ["x": 9_007_199_254_740_993], ["x": 5])
      ),
      to: .of(point(.double)),
      by: .of("Point", "Point", unique: ["x"], ["x": "$source.x"])
    )
    #expect(
      try migrated.destination.rows(of: "ZPOINT", "Z_PK", "ZX") == [
        [1, 9_007_199_254_740_992.0], [3, 5.0],
      ]
    )
  }

  @Test func `nil is never the same where the model has the constraint`() throws {
    let mark = EntityDescription("Mark", [.optional("name")])
    let unique = EntityDescription("Mark", [.optional("name")], unique: [["name"]])
    let migrated = try migrate(
      TestStore(
        try ManagedObjectModel.of(mark),
        .each("Mark", ["name": "a"], [:], ["name": "a"], [:])
      ),
      to: try ManagedObjectModel.of(unique),
      by: .of("Mark", "Mark", unique: ["name"], ["name": "$source.name"])
    )
    #expect(
      try migrated.destination.rows(of: "ZMARK", "Z_PK", "ZNAME")
        == [[1, "a"], [2, nil], [4, nil]]
    )
  }

  @Test func `mappings of several entities share what they find`() throws {
    let home = EntityDescription("Home", [.optional("city")])
    let work = EntityDescription("Work", [.optional("town")])
    let place = EntityDescription("Place", [.optional("name")])
    let migrated = try migrate(
      TestStore(
        try ManagedObjectModel.of(home, work),
        TestObject("Home", 1, ["city": "Ulm"]),
        TestObject("Home", 2, ["city": "Bonn"]),
        TestObject("Work", 1, ["town": "Bonn"]),
        TestObject("Work", 2, ["town": "Kiel"]),
        TestObject("Work", 3, ["town": "Kiel"])
      ),
      to: try ManagedObjectModel.of(place),
      by: .of("Home", "Place", unique: ["name"], ["name": "$source.city"]),
      .of("Work", "Place", unique: ["name"], ["name": "$source.town"])
    )
    #expect(
      try migrated.destination.rows(of: "ZPLACE", "Z_PK", "ZNAME")
        == [[1, "Ulm"], [2, "Bonn"], [4, "Kiel"]]
    )
  }

  @Test func `relationships to many are united, and one to one is the first that is there`() throws
  {
    let tag = EntityDescription(
      "Tag",
      [.optional("name")],
      [.toMany("notes", "Note.tags", isOrdered: true), .toOne("colour", "Colour.tags")]
    )
    let note = EntityDescription("Note", [.optional("text")], [.toMany("tags", "Tag.notes")])
    let colour = EntityDescription("Colour", [], [.toMany("tags", "Tag.colour")])
    let model = try ManagedObjectModel.of(tag, note, colour)
    let store = TestStore(
      model,
      TestObject("Tag", 1, ["name": "a"], links: ["notes": [3, 1]]),
      TestObject("Tag", 2, ["name": "b"], links: ["notes": [2], "colour": [2]]),
      TestObject("Tag", 3, ["name": "a"], links: ["notes": [2, 1], "colour": [1]]),
      TestObject("Tag", 4, ["name": "a"], links: ["colour": [2]])
    )
    let migrated = try migrate(
      store,
      to: model,
      by: .of(
        "Tag",
        "Tag",
        unique: ["name"],
        ["name": "$source.name"],
        [
          "notes": instances("NoteToNote", "$source.notes"),
          "colour": instances("ColourToColour", "$source.colour"),
        ]
      ),
      .of("Note", "Note"),
      .of("Colour", "Colour")
    )
    #expect(
      try migrated.destination.rows(of: "ZTAG", "Z_PK", "ZNAME", "ZCOLOUR")
        == [[1, "a", 1], [2, "b", 2]]
    )
    #expect(
      try migrated.destination.rows(
        "SELECT Z_3TAGS, Z_2NOTES FROM Z_2TAGS ORDER BY Z_3TAGS, Z_FOK_2NOTES"
      ) == [[1, 3], [1, 1], [1, 2], [2, 2]]
    )
  }

  @Test func `a plan tells by what objects are found`() throws {
    let planned = try Planned(
      Self.people(),
      to: try ManagedObjectModel.of(Self.address, Self.resident),
      by: [
        .of("Person", "Person", ["name": "$source.name"]),
        .of(
          "Person",
          "Address",
          unique: ["street", "city"],
          keeping: .last,
          ["street": "$source.street", "city": "$source.city"]
        ),
      ]
    )
    let change = planned.plan.passes.flatMap(\.entities).first { $0.entity == "Address" }
    #expect(change?.unique == ["street", "city"])
    #expect(change?.keep == "last")
    #expect(change?.rows == 7)
    #expect(change?.isUpperBound == true)
    #expect(planned.plan.isUpperBound)
  }
}
