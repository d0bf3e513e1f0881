import BulkTestSupport
import ExamplePolicySources
import Testing

/// The migrations of `Plans/examples`.
struct SmallExampleTests {
  private static let source = "Source.xcdatamodel"

  /// What an example makes of some objects.
  private static func migrated(
    _ name: String,
    as file: String,
    policies: [String: any EntityMigrationPolicy] = [:],
    transformers: [String: any AttributeTransformer] = [:],
    _ objects: TestObject...
  ) throws -> StoreFile {
    let example = try Example("examples/" + name)
    var store = TestStore(try example.model(source))
    store.objects = objects
    try example.write(store, as: file)
    return try example.migrate(by: "all.json", policies: policies, transformers: transformers)
  }

  @Test func `E-1, an attribute gets another name`() throws {
    let made = try Self.migrated(
      "e1-amount",
      as: "Orders.sqlite",
      TestObject("Order", 1, ["number": 1001, "amount": .decimal(Decimal(19.5))]),
      TestObject("Order", 2, ["number": 1002]),
      TestObject("Order", 7, ["number": 1003, "amount": .decimal(0)])
    )
    #expect(try made.columns(of: "ZORDER") == ["Z_PK", "Z_ENT", "Z_OPT", "ZNUMBER", "ZTOTALCOST"])
    #expect(
      try made.rows(of: "ZORDER", "Z_PK", "ZNUMBER", "ZTOTALCOST")
        == [[1, 1001, 19.5], [2, 1002, nil], [7, 1003, 0]]
    )
  }

  @Test func `E-2, degrees of Fahrenheit become degrees of Celsius`() throws {
    let made = try Self.migrated(
      "e2-temperature",
      as: "Readings.sqlite",
      TestObject("Reading", 1, ["temperature": .double(212)]),
      TestObject("Reading", 2, ["temperature": .double(32)]),
      TestObject("Reading", 3, ["temperature": .double(-40)]),
      TestObject("Reading", 4)
    )
    #expect(
      try made.rows("SELECT Z_PK, ZTEMPERATURE + 0.0 FROM ZREADING ORDER BY Z_PK")
        == [[1, 100.0], [2, 0.0], [3, -40.0], [4, nil]]
    )
  }

  @Test func `E-3, trades become transactions, and their inverse follows`() throws {
    let made = try Self.migrated(
      "e3-transactions",
      as: "Accounts.sqlite",
      TestObject("Account", 1, ["name": "Ann"], links: ["trades": [3, 4]]),
      TestObject("Account", 2, ["name": "Bob"]),
      TestObject("Account", 5, ["name": "Cid"], links: ["trades": [1]]),
      TestObject("Trade", 1, ["amount": .decimal(Decimal(10.5))]),
      TestObject("Trade", 2, ["amount": .decimal(-3)]),
      TestObject("Trade", 3),
      TestObject("Trade", 4, ["amount": .decimal(7)])
    )
    #expect(
      try made.rows(of: "ZACCOUNT", "Z_PK", "Z_ENT", "ZNAME")
        == [[1, 1, "Ann"], [2, 1, "Bob"], [5, 1, "Cid"]]
    )
    #expect(
      try made.rows(of: "ZTRADE", "Z_PK", "Z_ENT", "ZACCOUNT", "ZAMOUNT")
        == [[1, 2, 5, 10.5], [2, 2, nil, -3], [3, 2, 1, nil], [4, 2, 1, 7]]
    )
  }

  @Test(arguments: ["all.json", "policy.json"])
  func `E-4, a thousand persons share a hundred addresses`(mapping: String) throws {
    let example = try Example("examples/e4-addresses")
    var store = TestStore(try example.model(Self.source))
    store.objects = (0..<1_000).map { place in
      let house = place * 37 % 100
      return TestObject(
        "Person",
        Int64(place) + 1,
        [
          "name": .string("person-\(place)"), "street": .string("Street \(house)"),
          "city": .string("City \(house % 7)"), "zip": .string("\(10_000 + house)"),
        ]
      )
    }
    store.objects.append(TestObject("Person", 2_000, ["name": "homeless"]))
    try example.write(store, as: "People.sqlite")
    let made = try example.migrate(by: mapping, policies: Self.policies)
    // An address is made with its first person: 0, 37, 74, 11, …
    let addresses = (0..<100).map { place -> [StoredValue] in
      let house = place * 37 % 100
      return [
        .integer(Int64(place) + 1), 1, .text("Street \(house)"), .text("City \(house % 7)"),
        .text("\(10_000 + house)"),
      ]
    }
    #expect(
      try made.rows(of: "ZADDRESS", "Z_PK", "Z_ENT", "ZSTREET", "ZCITY", "ZZIP") == addresses
    )
    var people = (0..<1_000).map { place -> [StoredValue] in
      [
        .integer(Int64(place) + 1), 2, .text("person-\(place)"), .integer(Int64(place % 100) + 1),
      ]
    }
    people.append([2_000, 2, "homeless", nil])
    #expect(try made.rows(of: "ZPERSON", "Z_PK", "Z_ENT", "ZNAME", "ZADDRESS") == people)
  }

  @Test func `the tags of notes become objects, each once`() throws {
    let made = try Self.migrated(
      "tags",
      as: "Notes.sqlite",
      TestObject("Note", 1, ["text": "a", "tags": "swift,core data"]),
      TestObject("Note", 2, ["text": "b"]),
      TestObject("Note", 3, ["text": "c", "tags": "sqlite,swift"])
    )
    #expect(
      try made.rows(of: "ZTAG", "Z_PK", "ZNAME")
        == [[1, "swift"], [2, "core data"], [3, "sqlite"]]
    )
    let links = try made.rows("SELECT Z_1NOTES, Z_2TAGS FROM Z_1TAGS ORDER BY 1, Z_FOK_2TAGS")
    #expect(links == [[1, 1], [1, 2], [3, 3], [3, 1]])
  }

  @Test func `E-5, texts become bytes`() throws {
    let made = try Self.migrated(
      "e5-binary",
      as: "Documents.sqlite",
      policies: Self.policies,
      TestObject("Document", 1, ["title": "a", "digest": "00fF7e", "content": "aGVsbG8="]),
      TestObject("Document", 2, ["title": "b", "digest": "", "content": ""]),
      TestObject("Document", 3, ["title": "c"])
    )
    #expect(
      try made.rows(of: "ZDOCUMENT", "Z_PK", "ZTITLE", "ZDIGEST", "ZCONTENT")
        == [
          [1, "a", [0x00, 0xff, 0x7e], [0x68, 0x65, 0x6c, 0x6c, 0x6f]],
          [2, "b", [], []],
          [3, "c", nil, nil],
        ]
    )
  }

  @Test func `E-5, a text that is not hexadecimal is refused with its object`() throws {
    let example = try Example("examples/e5-binary")
    let store = TestStore(
      try example.model(Self.source),
      .each("Document", ["digest": "00"], ["digest": "0x"])
    )
    try example.write(store, as: "Documents.sqlite")
    #expect(
      example.failure(of: try example.plan("all.json"), policies: Self.policies)
        == "entity mapping DocumentToDocument, policy Examples.DocumentToDocumentPolicy, "
        + "createDestinationInstances, Document 2: \"0x\" is not hexadecimal; no destination was made"
    )
  }

  /// 2,000 events at intervals of three days and a bit from 2001-01-01 on, and one without a date.
  private static func events(_ model: ManagedObjectModel) -> TestStore {
    var store = TestStore(model)
    store.objects = (0..<2_000).map { place in
      TestObject("Event", Int64(place) + 1, ["timeStamp": .date(Double(place) * 259_200.5)])
    }
    store.objects.append(TestObject("Event", 2_001))
    return store
  }

  @Test func `E-6, one mapping file makes two objects of every event`() throws {
    let example = try Example("examples/e6-events")
    try example.write(Self.events(example.model(Self.source)), as: "Events.sqlite")
    let made = try example.migrate(by: "all.json")
    var times = (0..<2_000).map { place -> [StoredValue] in
      [.integer(Int64(place) + 1), .real(Double(place) * 259_200.5)]
    }
    times.append([2_001, nil])
    #expect(try made.rows(of: "ZTIMEDEVENT", "Z_PK", "ZTIME") == times)
    // The dates by `date -u -d @$((978307200 + seconds))`.
    #expect(
      try made.rows(
        "SELECT Z_PK, ZDATE FROM ZDATEDEVENT WHERE Z_PK IN (1, 2, 1000, 2000, 2001) ORDER BY Z_PK"
      ) == [
        [1, "2001-01-01 00:00:00 +0000"], [2, "2001-01-04 00:00:00 +0000"],
        [1000, "2009-03-17 00:08:19 +0000"], [2000, "2017-06-03 00:16:39 +0000"], [2001, nil],
      ]
    )
    #expect(try made.rows("SELECT count(*), count(ZDATE) FROM ZDATEDEVENT") == [[2001, 2000]])
  }

  @Test func `E-6, two mapping files make one of them each, narrowed by a filter`() throws {
    let example = try Example("examples/e6-events")
    var store = Self.events(try example.model(Self.source))
    // 2017-12-31 23:59:59 and 2018-01-01 00:00:00, in seconds since 2001-01-01.
    store.objects.append(TestObject("Event", 2_002, ["timeStamp": .date(536_457_599)]))
    store.objects.append(TestObject("Event", 2_003, ["timeStamp": .date(536_457_600)]))
    try example.write(store, as: "Events.sqlite")
    let times = try example.migrate(by: "times.json")
    #expect(try times.rows(of: "ZTIMEDEVENT", "Z_PK", "ZTIME") == [[2_003, 536_457_600.0]])
    #expect(try times.rows("SELECT count(*) FROM ZDATEDEVENT") == [[0]])
    let dates = try example.migrate(by: "dates.json")
    #expect(
      try dates.rows(of: "ZDATEDEVENT", "Z_PK", "ZDATE")
        == [[2_003, "2018-01-01 00:00:00 +0000"]]
    )
    #expect(try dates.rows("SELECT count(*) FROM ZTIMEDEVENT") == [[0]])
  }

  /// Core Data's manager ends its associations with each mapping model, so it cannot connect these.
  @Test func `E-6, objects of two mapping files lead to each other`() throws {
    let example = try Example("examples/e6-events")
    try example.write(Self.events(example.model(Self.source)), as: "Events.sqlite")
    let plan = try example.plan("parts.json")
    #expect(plan.passes.map(\.name) == ["times", "dates"])
    let made = try example.run(plan)
    #expect(
      try made.rows(
        """
        SELECT count(*), sum(t.Z_PK = d.Z_PK), sum(t.ZDATED = d.Z_PK), sum(d.ZTIMED = t.Z_PK)
        FROM ZTIMEDEVENT AS t JOIN ZDATEDEVENT AS d ON d.Z_PK = t.Z_PK
        """
      ) == [[2000, 2000, 2000, 2000]]
    )
    // The event without a date becomes a timed one only.
    #expect(
      try made.rows("SELECT Z_PK, ZTIME, ZDATED FROM ZTIMEDEVENT WHERE Z_PK > 2000")
        == [[2_001, nil, nil]]
    )
  }

  private static let policies: [String: any EntityMigrationPolicy] = [
    "Examples.PersonToPersonPolicy": PersonToPersonPolicy(),
    "Examples.DocumentToDocumentPolicy": DocumentToDocumentPolicy(),
  ]

  private static let transformers = ["ColorTransformer": ColorTransformer()]

  @Test func `colors become texts`() throws {
    let made = try Self.migrated(
      "e7-colors",
      as: "Swatches.sqlite",
      transformers: Self.transformers,
      TestObject("Swatch", 1, ["name": "orange", "color": .binary([255, 128, 0])]),
      TestObject("Swatch", 2, ["name": "none"])
    )
    #expect(
      try made.rows(of: "ZSWATCH", "Z_PK", "ZNAME", "ZCOLOR")
        == [[1, "orange", "#ff8000"], [2, "none", nil]]
    )
  }

  @Test func `bytes that are not a color are refused with their object`() throws {
    let example = try Example("examples/e7-colors")
    let store = TestStore(
      try example.model(Self.source),
      TestObject("Swatch", 1, ["color": .binary([255, 128])])
    )
    try example.write(store, as: "Swatches.sqlite")
    let failure = example.failure(
      of: try example.plan("all.json"),
      transformers: Self.transformers
    )
    #expect(
      failure.contains(
        "key 1, from Swatch 1: transformer ColorTransformer: a color has 3 bytes, not 2"
      )
    )
  }
}
