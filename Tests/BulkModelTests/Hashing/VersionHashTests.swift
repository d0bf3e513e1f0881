import BulkModel
import Testing

struct VersionHashTests {
  /// Taken from the metadata of SampleModel2_V2.sqlite, a test store of the open-source library
  /// CoreDataPlus that Core Data wrote.
  private static let stored = [
    "Author": "a5af92dcedca236241e01baf51c0e97d806bcc3d28500abc6d03926d7e065b28",
    "Book": "33ac3733a780db28955479ba9f9989cd9acd0ee1dade9b545e4b746751730100",
    "Feedback": "cb46793d66db0168baed7998db3de0d4f69fdedabb160d5f32072175685031cc",
    "GraphicNovel": "7073b5a03ae1be6509a5e88664a1a68805503b112176c4cceee9f30fdcdb72cc",
    "Page": "9ee9445f9060dc0ae0737ca930dd312246afc97362869cb5b7875e5bc9899171",
    "Writer": "d54efab5d39cb3f59df8018db5e4cb2912ced49ca0fdebb029a326cd70847b25",
  ]

  @Test func `entities hash as Core Data hashes them`() throws {
    let hashes = try SampleBooks.model().entityVersionHashesByName
    #expect(hashes.mapValues(\.description) == Self.stored)
  }

  @Test func `the digest and the checksum are those of the store`() throws {
    let hashes = try SampleBooks.model().entityVersionHashesByName
    #expect(
      VersionHash.digest(of: hashes)
        == "DIs+xLz0MVRR+GdQiDmx7wnmlHlCiw6+VI2n9V1cn7yh5eQUDlUTzt0H2YdeVaf4SGeKDJBO12pOwPgiuko3Xw=="
    )
    #expect(VersionHash.checksum(of: hashes) == "rKAqeFkeBuVpMQIEEEFvBGH45XUJ88ai7Pdmz4VqQkE=")
  }

  @Test func `what is not stored and what only names things leave the hash alone`() throws {
    var entities = try SampleBooks.model().entities
    var extra = AttributeDescription("extra", .undefined)
    extra.isTransient = true
    entities[0].attributes.append(extra)
    entities[0].renamingIdentifier = "Poet"
    entities[0].managedObjectClassName = "Poet"
    entities[0].userInfo = ["a": "b"]
    entities[0].attributes[0].defaultValue = .string("x")
    entities[0].relationships[0].deleteRule = .deny
    let hashes = try ManagedObjectModel(entities: entities).entityVersionHashesByName
    #expect(hashes.mapValues(\.description) == Self.stored)
  }

  @Test func `a hash has 32 bytes`() {
    #expect(VersionHash([1, 2, 3]) == nil)
    #expect(VersionHash([UInt8](repeating: 255, count: 32))?.description.count == 64)
  }

  @Test func `a model of 5,000 entities in a long line of inheritance is hashed`() throws {
    let entities = (0..<5000).map { index in
      var entity = EntityDescription("E\(index)")
      entity.superentityName = index % 50 == 0 ? nil : "E\(index - 1)"
      entity.attributes = [AttributeDescription("a\(index)", .string)]
      return entity
    }
    let hashes = try ManagedObjectModel(entities: entities).entityVersionHashesByName
    #expect(hashes.count == 5000)
  }
}
