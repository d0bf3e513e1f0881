import BulkFixture
import BulkTestSupport
import Testing

struct FixtureTests {
  private let directory = TemporaryDirectory()

  /// Notes in folders, with tags and attachments, two of them special kinds.
  private static func model(isExternal: Bool = false) throws -> ManagedObjectModel {
    var stars = AttributeDescription.required("stars", .integer16)
    stars.validationPredicates = [
      .comparison(.init(.evaluatedObject, .greaterThanOrEqualTo, .constant(.integer(1)))),
      .comparison(.init(.evaluatedObject, .lessThanOrEqualTo, .constant(.integer(5)))),
    ]
    return try .of(
      .init(
        "Note",
        [
          .required("title"), stars, .required("identifier", .uuid),
          isExternal ? .external("image") : .optional("image", .binaryData),
        ],
        [
          .toOne("folder", "Folder.notes"),
          .toMany("tags", "Tag.notes", isOrdered: true),
          .toOne("cover", "Attachment.coverOf"),
        ],
        unique: [["identifier"]]
      ),
      .init("Reminder", under: "Note", [.required("due", .date)]),
      .init("Folder", [.required("name")], [.toMany("notes", "Note.folder", isOrdered: true)]),
      .init("Tag", [], [.toMany("notes", "Note.tags")]),
      .init("Attachment", [], [.toOne("coverOf", "Note.cover")]),
      .init("Base", isAbstract: true)
    )
  }

  private static let rows: [String: Int64] = [
    "Note": 500, "Reminder": 200, "Folder": 20, "Tag": 30, "Attachment": 100,
  ]

  private func store(
    _ name: String = "store.sqlite",
    _ change: (inout FixtureRequest) -> Void = { _ in }
  ) throws -> StoreFile {
    var request = FixtureRequest()
    request.rows = Self.rows
    change(&request)
    let path = directory.path(name)
    _ = try Fixture(try Self.model(), request).write(to: path)
    return StoreFile(path)
  }

  // formats/store.md 7.11
  @Test func `an R-tree finds the rows that have all its numbers`() throws {
    var place = EntityDescription("Place", [.required("x", .double), .optional("y", .double)])
    let elements = ["x", "y"].map { FetchIndexDescription.Element(.property($0), kind: .rTree) }
    place.indexes = [FetchIndexDescription("byPlace", elements: elements)]
    var request = FixtureRequest()
    request.rows = ["Place": 50]
    request.nilRates["Place.y"] = 0.5
    let path = directory.path("places.sqlite")
    _ = try Fixture(try ManagedObjectModel(entities: [place]), request).write(to: path)
    let store = StoreFile(path)
    let found = try store.rows("SELECT Z_PK FROM Z_Place_byPlace ORDER BY Z_PK")
    #expect(found == (try store.rows("SELECT Z_PK FROM ZPLACE WHERE ZY NOT NULL ORDER BY Z_PK")))
    #expect(5...45 ~= found.count)
    #expect(try store.names(of: "trigger").count == 3)
  }

  @Test func `the same seed gives the same bytes, another one others`() throws {
    let first = try Files.read(store("first.sqlite").path)
    #expect(try Files.read(store("second.sqlite").path) == first)
    #expect(try Files.read(store("third.sqlite") { $0.seed = 2 }.path) != first)
  }

  @Test func `it has the rows that were asked for, and SQLite finds nothing wrong`() throws {
    let store = try store()
    #expect(try store.integrity() == [["ok"]])
    #expect(
      try store.rows("SELECT Z_ENT, count(*), min(Z_PK), max(Z_PK) FROM ZNOTE GROUP BY Z_ENT")
        // Attachment 1, Base 2, Folder 3, Note 4, Reminder 5, Tag 6; the keys of a table follow on.
        == [[4, 500, 1, 500], [5, 200, 501, 700]]
    )
    #expect(
      try store.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        == [
          ["Attachment", 100], ["Base", 0], ["Folder", 20], ["Note", 700], ["Reminder", 0],
          ["Tag", 30],
        ]
    )
  }

  @Test func `every relationship leads to an object that is there, and back`() throws {
    let store = try store()
    for wrong in [
      "ZNOTE WHERE ZFOLDER IS NOT NULL AND ZFOLDER NOT BETWEEN 1 AND 20",
      "ZNOTE n JOIN ZATTACHMENT a ON n.ZCOVER = a.Z_PK WHERE a.ZCOVEROF IS NOT n.Z_PK",
      "ZATTACHMENT a LEFT JOIN ZNOTE n ON a.ZCOVEROF = n.Z_PK "
        + "WHERE a.ZCOVEROF IS NOT NULL AND n.ZCOVER IS NOT a.Z_PK",
      "ZATTACHMENT a JOIN ZNOTE n ON a.ZCOVEROF = n.Z_PK WHERE a.Z4_COVEROF IS NOT n.Z_ENT",
    ] {
      #expect(try store.rows("SELECT count(*) FROM \(wrong)") == [[0]], "\(wrong)")
    }
  }

  @Test func `members of ordered relationships stand at 2048, 3072, 4096 and so on`() throws {
    let store = try store()
    let tags = try store.columns(of: "Z_4TAGS")
    #expect(tags == ["Z_4NOTES", "Z_6TAGS", "Z_FOK_6TAGS"])
    for source in [
      "SELECT Z_4NOTES AS OWNER, Z_FOK_6TAGS AS PLACE FROM Z_4TAGS",
      "SELECT ZFOLDER AS OWNER, Z_FOK_FOLDER AS PLACE FROM ZNOTE WHERE ZFOLDER NOT NULL",
    ] {
      let wrong =
        "SELECT count(*) FROM (SELECT PLACE, row_number() OVER (PARTITION BY OWNER ORDER BY PLACE) AS n "
        + "FROM (\(source))) WHERE PLACE <> 1024 + 1024 * n"
      #expect(try store.rows(wrong) == [[0]], "\(source)")
    }
  }

  @Test func `a relationship that is ordered on both sides has every position once`() throws {
    let model = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag.notes", isOrdered: true)]),
      EntityDescription("Tag", [], [.toMany("notes", "Note.tags", isOrdered: true)])
    )
    var request = FixtureRequest()
    request.rows = ["Note": 50, "Tag": 20]
    let path = directory.path("both.sqlite")
    _ = try Fixture(model, request).write(to: path)
    let store = StoreFile(path)
    for (owner, position) in [("Z_1NOTES", "Z_FOK_2TAGS"), ("Z_2TAGS", "Z_FOK_1NOTES")] {
      #expect(
        try store.rows(
          "SELECT count(*) FROM (SELECT \(position) AS p, row_number() OVER "
            + "(PARTITION BY \(owner) ORDER BY \(position)) AS n FROM Z_1TAGS) WHERE p <> 1024 + 1024 * n"
        ) == [[0]]
      )
    }
    // Positions do not follow the keys.
    #expect(
      try store.rows(
        "SELECT count(*) > 0 FROM Z_1TAGS a JOIN Z_1TAGS b USING (Z_1NOTES) "
          + "WHERE a.Z_2TAGS < b.Z_2TAGS AND a.Z_FOK_2TAGS > b.Z_FOK_2TAGS"
      ) == [[1]]
    )
  }

  @Test(arguments: [(-10, -5), (-3, 4), (20_000, 20_003)])
  func `integers keep to limits of any sign and size`(low: Int64, high: Int64) throws {
    var note = EntityDescription("Note")
    note.attributes = [AttributeDescription("stars", .integer32)]
    note.attributes[0].validationPredicates = [
      .comparison(.init(.evaluatedObject, .greaterThanOrEqualTo, .constant(.integer(low)))),
      .comparison(.init(.evaluatedObject, .lessThanOrEqualTo, .constant(.integer(high)))),
    ]
    var request = FixtureRequest()
    request.rows = ["Note": 2000]
    let path = directory.path("limits.sqlite")
    _ = try Fixture(try ManagedObjectModel(entities: [note]), request).write(to: path)
    #expect(
      try StoreFile(path).rows("SELECT min(ZSTARS), max(ZSTARS) FROM ZNOTE")
        == [[.integer(low), .integer(high)]]
    )
  }

  /// 700 notes and 30 tags; a mean beyond half of the members is met, one beyond all of them is all.
  @Test(arguments: [
    ("Note.tags", 3.0, 2_100, 210), ("Tag.notes", 10, 300, 30), ("Note.tags", 25.5, 17_850, 200),
    ("Note.tags", 31, 21_000, 1),
  ])
  func `a mean number of members holds for the side that it names`(
    side: String,
    mean: Double,
    pairs: Int,
    tolerance: Int
  ) throws {
    let store = try store { $0.links[side] = mean }
    #expect(
      try store.rows("SELECT abs(count(*) - \(pairs)) < \(tolerance) FROM Z_4TAGS") == [[1]]
    )
  }

  @Test func `values keep to the model's limits`() throws {
    let store = try store()
    #expect(try store.rows("SELECT min(ZSTARS), max(ZSTARS) FROM ZNOTE") == [[1, 5]])
    #expect(
      try store.rows(
        "SELECT count(*), count(DISTINCT ZIDENTIFIER), min(length(ZIDENTIFIER)) FROM ZNOTE"
      )
        == [[700, 700, 16]]
    )
    #expect(
      try store.rows("SELECT count(*) FROM ZNOTE WHERE ZTITLE IS NULL OR ZTITLE = ''") == [[0]]
    )
    #expect(
      try store.rows("SELECT count(*) FROM ZNOTE WHERE (ZDUE IS NULL) = (Z_ENT = 5)") == [[0]]
    )
  }

  @Test func `Zipf's law gives the first objects most, an even draw does not`() throws {
    let largest = "SELECT count(*) > 140 FROM ZNOTE GROUP BY ZFOLDER ORDER BY count(*) DESC LIMIT 1"
    #expect(try store("zipf.sqlite") { $0.skew = .zipf }.rows(largest) == [[1]])
    #expect(try store("even.sqlite").rows(largest) == [[0]])
  }

  @Test func `a store can be dirty on purpose`() throws {
    let store = try store {
      $0.dirt = [.duplicates: 0.1, .nulls: 0.1, .dangling: 0.1]
    }
    let duplicates = try store.rows("SELECT count(*) - count(DISTINCT ZIDENTIFIER) > 30 FROM ZNOTE")
    #expect(duplicates == [[1]])
    #expect(try store.rows("SELECT count(*) > 30 FROM ZNOTE WHERE ZTITLE IS NULL") == [[1]])
    #expect(try store.rows("SELECT count(*) > 30 FROM ZNOTE WHERE ZFOLDER > 20") == [[1]])
    #expect(try store.names(of: "index").contains("Z_Note_UNIQUE_identifier") == false)
  }

  @Test func `pictures are PNG files of the size that was asked for`() throws {
    let store = try store { $0.sizes["Note.image"] = 10_000...12_000 }
    #expect(
      try store.rows(
        "SELECT count(*) > 100, min(length(ZIMAGE)) >= 10000, max(length(ZIMAGE)) <= 12000, "
          + "count(DISTINCT substr(hex(ZIMAGE), 1, 32)), substr(hex(max(ZIMAGE)), 1, 32) "
          + "FROM ZNOTE WHERE ZIMAGE IS NOT NULL"
      )
        // The signature of PNG, then the length and the name of the first chunk, IHDR.
        == [[1, 1, 1, 1, "89504E470D0A1A0A0000000D49484452"]]
    )
  }

  // formats/store.md 11.11; formats/store.md 11.12
  @Test func `values are in files beside the store, and the rows name them`() throws {
    let model = try Self.model(isExternal: true)
    var request = FixtureRequest()
    request.rows = Self.rows
    request.nilRates["Note.image"] = 0
    request.sizes["Note.image"] = 1000...1000
    request.externalRates["Note.image"] = 0.2
    let path = directory.path("store.sqlite")
    _ = try Fixture(model, request).write(to: path)
    let folder = directory.path(".store_SUPPORT/_EXTERNAL_DATA")
    let files = try Files.contents(of: folder)
    // 700 notes and reminders.
    #expect(100...180 ~= files.count)
    #expect(files.values.allSatisfy { $0.starts(with: [0x89, 0x50, 0x4E, 0x47]) })
    let store = StoreFile(path)
    #expect(
      try store.rows(
        "SELECT count(*) FROM ZNOTE WHERE hex(substr(ZIMAGE, 1, 5)) = '0189504E47'"
      ) == [[.integer(Int64(700 - files.count))]]
    )
    let names = try store.rows(
      "SELECT CAST(substr(ZIMAGE, 2, 36) AS TEXT) FROM ZNOTE WHERE length(ZIMAGE) = 38 "
        + "AND hex(substr(ZIMAGE, 1, 1)) = '02' AND hex(substr(ZIMAGE, 38)) = '00' ORDER BY 1"
    )
    #expect(names == files.keys.sorted().map { [.text($0)] })
    request.seed = 1
    let second = directory.path("second.sqlite")
    _ = try Fixture(model, request).write(to: second)
    #expect(try Files.read(second) == Files.read(path))
    let before = try directory.bytes()
    #expect(throws: FixtureError.exists(path)) { _ = try Fixture(model, request).write(to: path) }
    #expect(try directory.bytes() == before)
  }

  @Test(arguments: [
    ("Nota", "the model has no entity Nota; it has Attachment, Base, Folder, Note, Reminder, Tag"),
    ("Base", "entity Base is abstract and has no objects of its own; name one of its subentities"),
  ])
  func `rows of what cannot have them are refused`(entity: String, message: String) throws {
    #expect(failure { try store { $0.rows = [entity: 1] } } == message)
    let external = #expect(throws: FixtureError.self) {
      try store { $0.externalRates = ["Note.image": 1] }
    }
    #expect(
      external?.description == "the model has no attribute that allows external storage Note.image"
    )
  }
}
