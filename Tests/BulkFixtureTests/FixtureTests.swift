import BulkFixture
import BulkModel
import BulkTestSupport
import Foundation
import Testing

@Suite("Synthetic stores")
struct FixtureTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Notes in folders, with tags and attachments, two of them special kinds.
  private static func model(isExternal: Bool = false) throws -> ManagedObjectModel {
    var note = EntityDescription("Note")
    note.attributes = [
      AttributeDescription("title", .string), AttributeDescription("stars", .integer16),
      AttributeDescription("identifier", .uuid),
    ]
    note.attributes[1].validationPredicates = [
      .comparison(.init(.evaluatedObject, .greaterThanOrEqualTo, .constant(.integer(1)))),
      .comparison(.init(.evaluatedObject, .lessThanOrEqualTo, .constant(.integer(5)))),
    ]
    var image = AttributeDescription("image", .binaryData)
    image.isOptional = true
    image.allowsExternalBinaryDataStorage = isExternal
    note.attributes.append(image)
    note.uniquenessConstraints = [["identifier"]]
    note.relationships = [
      relationship("folder", to: "Folder", inverse: "notes"),
      relationship("tags", to: "Tag", inverse: "notes", isToMany: true, isOrdered: true),
      relationship("cover", to: "Attachment", inverse: "coverOf"),
    ]
    var special = EntityDescription("Reminder")
    special.superentityName = "Note"
    special.attributes = [AttributeDescription("due", .date)]
    var folder = EntityDescription("Folder")
    folder.attributes = [AttributeDescription("name", .string)]
    folder.relationships = [
      relationship("notes", to: "Note", inverse: "folder", isToMany: true, isOrdered: true)
    ]
    var tag = EntityDescription("Tag")
    tag.relationships = [relationship("notes", to: "Note", inverse: "tags", isToMany: true)]
    var attachment = EntityDescription("Attachment")
    attachment.relationships = [relationship("coverOf", to: "Note", inverse: "cover")]
    var base = EntityDescription("Base")
    base.isAbstract = true
    return try ManagedObjectModel(entities: [note, special, folder, tag, attachment, base])
  }

  private static func relationship(
    _ name: String,
    to destination: String,
    inverse: String,
    isToMany: Bool = false,
    isOrdered: Bool = false
  ) -> RelationshipDescription {
    var result = RelationshipDescription(name, to: destination)
    result.inverseName = inverse
    result.isToMany = isToMany
    result.maxCount = isToMany ? 0 : 1
    result.isOrdered = isOrdered
    result.isOptional = true
    return result
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
    var place = EntityDescription("Place")
    place.attributes = ["x", "y"].map { AttributeDescription($0, .double) }
    place.attributes[1].isOptional = true
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
    #expect(
      try store.rows(
        "SELECT count(*) FROM ZNOTE WHERE ZFOLDER IS NOT NULL AND ZFOLDER NOT BETWEEN 1 AND 20"
      ) == [[0]]
    )
    #expect(
      try store.rows(
        "SELECT count(*) FROM ZNOTE n JOIN ZATTACHMENT a ON n.ZCOVER = a.Z_PK "
          + "WHERE a.ZCOVEROF IS NOT n.Z_PK"
      ) == [[0]]
    )
    #expect(
      try store.rows(
        "SELECT count(*) FROM ZATTACHMENT a LEFT JOIN ZNOTE n ON a.ZCOVEROF = n.Z_PK "
          + "WHERE a.ZCOVEROF IS NOT NULL AND n.ZCOVER IS NOT a.Z_PK"
      ) == [[0]]
    )
    #expect(
      try store.rows(
        "SELECT count(*) FROM ZATTACHMENT a JOIN ZNOTE n ON a.ZCOVEROF = n.Z_PK "
          + "WHERE a.Z4_COVEROF IS NOT n.Z_ENT"
      ) == [[0]]
    )
  }

  @Test func `members of ordered relationships stand at 2048, 3072, 4096 and so on`() throws {
    let store = try store()
    let wrong =
      "SELECT count(*) FROM (SELECT PLACE, row_number() OVER (PARTITION BY OWNER ORDER BY PLACE) AS n "
      + "FROM (SOURCE)) WHERE PLACE <> 1024 + 1024 * n"
    let tags = try store.rows("SELECT name FROM pragma_table_info('Z_4TAGS')").map { $0[0] }
    #expect(tags == ["Z_4NOTES", "Z_6TAGS", "Z_FOK_6TAGS"])
    #expect(
      try store.rows(
        wrong.replacing(
          "SOURCE",
          with: "SELECT Z_4NOTES AS OWNER, Z_FOK_6TAGS AS PLACE FROM Z_4TAGS"
        )
      ) == [[0]]
    )
    #expect(
      try store.rows(
        wrong.replacing(
          "SOURCE",
          with: "SELECT ZFOLDER AS OWNER, Z_FOK_FOLDER AS PLACE FROM ZNOTE WHERE ZFOLDER NOT NULL"
        )
      ) == [[0]]
    )
  }

  // 700 notes with three tags each; 30 tags with ten notes each.
  @Test(arguments: [("Note.tags", 3.0, 2100), ("Tag.notes", 10, 300)])
  func `a mean number of members holds for the side that it names`(
    side: String,
    mean: Double,
    pairs: Int
  ) throws {
    let store = try store { $0.links[side] = mean }
    let near = "SELECT abs(count(*) - \(pairs)) < \(pairs / 10) FROM Z_4TAGS"
    #expect(try store.rows(near) == [[1]])
  }

  @Test func `a mean beyond half of the members is met, one beyond all of them is all`() throws {
    let most = try store("most.sqlite") { $0.links["Note.tags"] = 25.5 }
    // 700 times 25.5 is 17,850.
    #expect(
      try most.rows("SELECT abs(count(*) - 17850) < 200 FROM Z_4TAGS") == [[1]]
    )
    let all = try store("all.sqlite") { $0.links["Note.tags"] = 31 }
    #expect(try all.rows("SELECT count(*) FROM Z_4TAGS") == [[21_000]])
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
      $0.dirt = Dirt([.duplicates: 0.1, .nulls: 0.1, .dangling: 0.1])
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
        "SELECT count(*) > 100, min(length(ZIMAGE)) > 9500, max(length(ZIMAGE)) <= 12000, "
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
    #expect(throws: FixtureError.exists(path)) { _ = try Fixture(model, request).write(to: path) }
  }

  @Test func `values of an attribute without external storage are refused`() throws {
    let error = try #require(throws: FixtureError.self) {
      _ = try store { $0.externalRates = ["Note.image": 1] }
    }
    #expect(
      error.description == "the model has no attribute that allows external storage Note.image"
    )
  }

  @Test(arguments: [
    ("Nota", "the model has no entity Nota; it has Attachment, Base, Folder, Note, Reminder, Tag"),
    ("Base", "entity Base is abstract and has no objects of its own; name one of its subentities"),
  ])
  func `rows of what cannot have them are refused`(entity: String, message: String) throws {
    let error = try #require(throws: FixtureError.self) {
      _ = try store { $0.rows = [entity: 1] }
    }
    #expect(error.description == message)
  }

  @Test func `an existing file is not overwritten`() throws {
    let store = try store()
    let before = try directory.bytes()
    #expect(throws: FixtureError.exists(store.path)) { _ = try self.store() }
    #expect(try directory.bytes() == before)
  }
}
