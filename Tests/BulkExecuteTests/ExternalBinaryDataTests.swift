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

  /// A row refers to a file by a byte 2, the file's name and a NUL (store-format.md, section 9).
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

  @Test func `files come with their store, and the rows still name them`() throws {
    let planned = try plan(Self.store(), to: Self.destination())
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
    let planned = try plan(Self.store(), to: Self.destination())
    try Self.addFile(to: planned)
    var request = PlanRequest()
    request.source = planned.source.path
    request.sourceModel = planned.directory.path("source.mom")
    request.destination = planned.directory.path("destination.sqlite")
    request.destinationModel = planned.directory.path("destination.mom")
    #expect(
      try Planner.plan(request).warnings == [
        "1 value of ZNOTE.ZIMAGE lies in a file that is not beside the store: \(Self.missing)"
      ]
    )
  }

  @Test func `a folder of files under the destination's name is not overwritten`() throws {
    let planned = try plan(Self.store(), to: Self.destination())
    _ = try planned.directory.folder(".destination_SUPPORT")
    #expect(
      throws: ErrorText(
        "DIR/.destination_SUPPORT is there already and is not overwritten; name another "
          + "destination or move it away"
      )
    ) {
      try run(planned)
    }
  }
}
