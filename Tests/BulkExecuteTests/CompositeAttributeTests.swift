import BulkTestSupport
import Testing

/// Composite attributes, whose elements have columns of their own (formats/store.md 3.7, formats/migration.md 7.4).
struct CompositeAttributeTests {
  private static let home = AttributeDescription.composite(
    "home",
    [.optional("street"), .optional("city"), .optional("zip", .integer32)]
  )
  private static func person() throws -> TestStore {
    TestStore(
      try .of(EntityDescription("Person", [home, .optional("city")])),
      TestObject(
        "Person",
        1,
        ["home.street": "Main", "home.city": "Cork", "home.zip": 12, "city": "Rome"]
      ),
      TestObject("Person", 2, ["home.city": "Oslo"])
    )
  }

  /// As in ZCOCKTAIL of data/swiftdata/cocktails, where author.id is ZID and id is ZID1; required elements of a
  /// composite that may be nil need no values.
  // formats/migration.md 2.19
  @Test func `formats/store.md 3.7: columns bear the names of elements in declared order`()
    throws
  {
    let work = AttributeDescription.composite("work", [.required("street"), .optional("floor")])
    let made = try migrate(
      Self.person(),
      to: .of(EntityDescription("Person", [Self.home, .optional("city"), work]))
    ).destination
    #expect(
      try made.columns(of: "ZPERSON") == [
        "Z_PK", "Z_ENT", "Z_OPT", "ZZIP", "ZCITY", "ZSTREET", "ZCITY1", "ZSTREET1", "ZFLOOR",
      ]
    )
    let columns = ["ZCITY", "ZSTREET", "ZCITY1", "ZZIP", "ZSTREET1", "ZFLOOR"]
    #expect(
      try made.rows("SELECT \(columns.joined(separator: ", ")) FROM ZPERSON ORDER BY Z_PK")
        == [["Rome", "Main", "Cork", 12, nil, nil], [nil, nil, "Oslo", nil, nil, nil]]
    )
  }

  @Test func `formats/migration.md 7.4: elements pair by the path of renaming identifiers`() throws
  {
    let address = AttributeDescription.composite(
      "address",
      id: "home",
      [.optional("town", id: "city"), .optional("street"), .optional("country")]
    )
    let planned = try Planned(Self.person(), to: .of(EntityDescription("Person", [address])))
    #expect(
      planned.plan.lossLines == [
        "1 value of Person.city: no mapping reads them",
        "1 value of Person.home.zip: no mapping reads them",
      ]
    )
    #expect(
      try migrated(planned).destination.rows(of: "ZPERSON", "ZTOWN", "ZSTREET", "ZCOUNTRY")
        == [["Cork", "Main", nil], ["Oslo", nil, nil]]
    )
  }

  // formats/migration.md 2.5
  @Test func `an attribute that becomes a composite or a relationship is removed and added`() throws
  {
    let town = AttributeDescription.composite("city", [.optional("name")])
    let planned = try Planned(
      Self.person(),
      to: .of(.init("Person", [town], [.toOne("home", "House")]), .init("House"))
    )
    #expect(
      planned.plan.lossLines == [
        "1 value of Person.city: no mapping reads them",
        "2 values of Person.home.city: no mapping reads them",
        "1 value of Person.home.street: no mapping reads them",
        "1 value of Person.home.zip: no mapping reads them",
      ]
    )
    #expect(
      try migrated(planned).destination.rows(of: "ZPERSON", "ZNAME", "ZHOME")
        == [[nil, nil], [nil, nil]]
    )
  }

  @Test func `elements are made of plain attributes, and plain attributes of elements`() throws {
    let work = AttributeDescription.composite(
      "work",
      [.optional("city"), .optional("zip")]
    )
    let migrated = try migrate(
      Self.person(),
      to: .of(.init("Person", [work, .optional("street"), .optional("length", .integer64)])),
      by: .of(
        "Person",
        "Person",
        where: "home.city != nil",
        [
          "work.city": "$source.city", "work.zip": "CAST($source.home.zip, \"NSString\")",
          "street": "$source.home.street", "length": "$source.home.city.length",
        ]
      )
    )
    #expect(
      try migrated.destination.rows(of: "ZPERSON", "ZCITY", "ZZIP", "ZSTREET", "ZLENGTH")
        == [["Rome", "12", "Main", 4], [nil, nil, nil, 4]]
    )
  }

  @Test func `a composite value is taken whole, an element that is written itself excepted`() throws
  {
    let away = AttributeDescription.composite(
      "away",
      [.optional("city"), .optional("street"), .optional("country")]
    )
    let migrated = try migrate(
      Self.person(),
      to: .of(EntityDescription("Person", [away])),
      by: .of("Person", "Person", ["away": "$source.home", "away.street": "\"none\""])
    )
    #expect(
      try migrated.destination.rows(of: "ZPERSON", "ZCITY", "ZSTREET", "ZCOUNTRY")
        == [["Cork", "none", nil], ["Oslo", "none", nil]]
    )
  }

  @Test func `an element breaks a rule as an attribute does`() throws {
    var zip = AttributeDescription.optional("zip", .integer32)
    zip.validationPredicates = [try ValuePredicate(format: "SELF >= 100")]
    let planned = try Planned(
      Self.person(),
      to: .of(EntityDescription("Person", [.composite("home", [zip])])),
      by: [.of("Person", "Person", ["home": "$source.home"])]
    )
    #expect(failure(of: planned).contains("Person.home.zip"))
  }
}
