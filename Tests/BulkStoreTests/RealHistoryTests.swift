import BulkTestSupport
import Testing

@Suite("History of a Photos library", .enabled(if: SharedData.isPresent, "../shared is not there"))
struct RealHistoryTests {
  private let store: StoreFile
  private let schema: StoreSchema

  init() throws {
    let path = "photos/Photos-10.16.0.sqlite"
    let directory = TemporaryDirectory()
    try SharedData.copy(path, to: directory.path("copy.sqlite"))
    store = StoreFile(directory.path("copy.sqlite"), keeping: directory)
    let original = try RealStores.open(path)
    schema = try original.layout(for: try #require(try original.cachedModel())).schema
  }

  private func entity(_ name: String) throws -> EntityDescription {
    try #require(schema.model.entity(named: name))
  }

  // formats/store.md 10.4
  @Test func `masks are as long as the bits of their entities need`() throws {
    let found = try store.rows(
      "SELECT DISTINCT Z_NAME, length(ZCOLUMNS) FROM ACHANGE JOIN Z_PRIMARYKEY AS k ON ZENTITY = k.Z_ENT "
        + "WHERE ZCHANGETYPE = 1 ORDER BY 1"
    )
    let lengths = schema.model.entities.map { entity -> [StoredValue] in
      [.text(entity.name), .integer(Int64((schema.historyBits(of: entity).count + 7) / 8))]
    }
    #expect(found.filter { !lengths.contains($0) } == [])
    #expect(found.count == 14)
  }

  // formats/store.md 10.4
  @Test func `bits name what goes together`() throws {
    let attributes = schema.historyBits(of: try entity("AdditionalAssetAttributes"))
    #expect(attributes.count == 77)
    let album = schema.historyBits(of: try entity("Album"))
    #expect(album.firstIndex(of: HistoryBit(.position, "parentFolder")) == 5)
    let person = schema.historyBits(of: try entity("Person"))
    let mask = try store.rows(
      "SELECT hex(ZCOLUMNS) FROM ACHANGE JOIN Z_PRIMARYKEY AS k ON ZENTITY = k.Z_ENT "
        + "WHERE ZCHANGETYPE = 1 AND Z_NAME = 'Person' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"
    )
    // The most frequent mask of a person names its rejected faces alone.
    let place = try #require(person.firstIndex(of: HistoryBit(.value, "rejectedFaces")))
    var bytes = [UInt8](repeating: 0, count: 4)
    bytes[place / 8] = 0x80 >> UInt8(place % 8)
    #expect(mask == [[.text(bytes.map { String(format: "%02X", $0) }.joined())]])
  }

  // formats/store.md 10.3
  @Test func `tombstones are in the order of names`() throws {
    let names = ["Person", "InternalResource", "Album", "Moment"]
    #expect(
      try names.map { schema.model.tombstones(of: try entity($0)) } == [
        ["cloudDeleteState", "personUUID"],
        ["cloudDeleteAssetUUIDWithResourceType", "cloudDeleteState"],
        ["cloudDeleteState", "cloudGUID", "uuid"], ["uuid"],
      ]
    )
    #expect(schema.model.entities.map { schema.model.tombstones(of: $0).count }.max() == 4)
  }
}
