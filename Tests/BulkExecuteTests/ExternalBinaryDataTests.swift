import BulkVersions
import BulkExecute
import BulkModel
import BulkPlan
import BulkTestSupport
import Foundation
import Testing

@Suite("Values in files beside a store")
struct ExternalBinaryDataTests {
  private static let present = "8F4F6C2A-7C9B-4A5E-8D11-6A6C9A1B2C3D"
  private static let missing = "00000000-7C9B-4A5E-8D11-6A6C9A1B2C3D"

  /// A row refers to a file by a byte 2, the file's name and a NUL (formats/store.md 11.11).
  private static func store() throws -> TestStore {
    var store = TestStore(
      try .of(EntityDescription("Note", [.external("image")])),
      TestObject("Note", 1),
      TestObject("Note", 2)
    )
    store.sql = [(1, present), (2, missing)].map { key, name in
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = \(key)"
    }
    return store
  }

  private static func destination() throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", [.external("image"), .optional("title")]))
  }

  private static func addFile(to planned: Planned) throws {
    let folder = try planned.directory.folder(".source_SUPPORT/_EXTERNAL_DATA")
    try Files.write([1, 2, 3], to: "\(folder)/\(present)")
  }

  // formats/store.md 11.12
  @Test func `files come with their store, and the rows still name them`() throws {
    let planned = try Planned(Self.store(), to: Self.destination())
    try Self.addFile(to: planned)
    try run(planned)
    let copy = planned.directory.path(".destination_SUPPORT/_EXTERNAL_DATA/\(Self.present)")
    #expect(try Files.read(copy) == [1, 2, 3])
    #expect(
      try StoreFile(planned.plan.destination.store)
        .rows("SELECT hex(ZIMAGE) FROM ZNOTE WHERE Z_PK = 1")
        // 02, the name in ASCII, 00.
        == [["0238463446364332412D374339422D344135452D384431312D36413643394131423243334400"]]
    )
  }

  @Test func `a missing file is told by its name when the migration is planned`() throws {
    let planned = try Planned(Self.store(), to: Self.destination())
    try Self.addFile(to: planned)
    let request = PlanRequest(in: planned.directory)
    #expect(
      try Planner.plan(request).warnings == [
        "1 value of ZNOTE.ZIMAGE lies in a file that is not beside the store: \(Self.missing)"
      ]
    )
  }

  @Test func `a folder of files under the destination's name is not overwritten`() throws {
    let planned = try Planned(Self.store(), to: Self.destination())
    _ = try planned.directory.folder(".destination_SUPPORT")
    #expect(
      throws: ErrorText(
        "DIR/.destination_SUPPORT already exists and is not overwritten; name another "
          + "destination or move it away"
      )
    ) {
      try run(planned)
    }
  }

  // MARK: Values that are no references

  /// Rows with bytes that Core Data writes for no value: neither a byte 1 before a value, nor a whole
  /// reference to a file.
  private static func damaged() throws -> TestStore {
    var store = TestStore(
      try .of(EntityDescription("Note", [.external("image")])),
      TestObject("Note", 1),
      TestObject("Note", 2),
      TestObject("Note", 3),
      TestObject("Note", 4),
      TestObject("Note", 5, ["image": .binary([2, 3])])
    )
    store.sql = [
      "UPDATE ZNOTE SET ZIMAGE = x'02AABB' WHERE Z_PK = 1",
      "UPDATE ZNOTE SET ZIMAGE = x'0300' WHERE Z_PK = 2",
      "UPDATE ZNOTE SET ZIMAGE = x'' WHERE Z_PK = 3",
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(present)!' AS BLOB) WHERE Z_PK = 4",
      "UPDATE ZNOTE SET ZIMAGE = CAST(ZIMAGE AS BLOB)",
    ]
    return store
  }

  private static func plain() throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", [.optional("image", .binaryData)]))
  }

  @Test func `what is no reference moves as it stands where values must lie in their rows`() throws
  {
    let migrated = try migrate(Self.damaged(), to: Self.plain())
    #expect(
      try migrated.destination.rows("SELECT Z_PK, hex(ZIMAGE) FROM ZNOTE ORDER BY Z_PK") == [
        [1, "02AABB"], [2, "0300"], [3, ""],
        // 02, the name in ASCII, an exclamation mark where a NUL belongs.
        [4, "0238463446364332412D374339422D344135452D384431312D36413643394131423243334421"],
        [5, "0203"],
      ]
    )
  }

  @Test func `a large value that is no reference moves as it stands`() throws {
    var store = TestStore(
      try .of(EntityDescription("Note", [.external("image")])),
      TestObject("Note", 1),
      TestObject("Note", 2)
    )
    store.sql = [(1, "01"), (2, "02")].map { key, first in
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'\(first)' || zeroblob(2000000) AS BLOB) WHERE Z_PK = \(key)"
    }
    let migrated = try migrate(store, to: Self.plain())
    #expect(migrated.plan.memory.streamedTables == ["ZNOTE"])
    #expect(
      try migrated.destination
        .rows("SELECT Z_PK, length(ZIMAGE), hex(substr(ZIMAGE, 1, 2)) FROM ZNOTE ORDER BY Z_PK")
        == [[1, 2_000_000, "0000"], [2, 2_000_001, "0200"]]
    )
  }
}
