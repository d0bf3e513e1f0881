import BulkTestSupport
import Testing

@Suite struct HeldAssociationsTests {
  private static let counts = [0, 1, 63, 64, 65, 4096, 70_000]

  /// The first destination key of each source key from 0 to the one after the greatest.
  private static func firsts(_ pairs: Pairs) -> [Int64?] {
    let bySource = pairs.destinationsBySource
    return (0...(pairs.sources.last ?? 0) + 1).map { bySource[$0]?.first }
  }

  @Test(arguments: counts, Pairs.Shape.allCases)
  func `each key leads to its first destination, in any order`(
    count: Int,
    shape: Pairs.Shape
  ) throws {
    let folder = TemporaryDirectory()
    let pairs = Pairs(count, shape)
    let table = try AssociationTable(pairs, in: folder.path)
    let held = try #require(try HeldAssociations(table, within: 1 << 20))
    let firsts = Self.firsts(pairs)
    let found = firsts.indices.reversed().map { held.destinationKey(of: Int64($0)) }
    #expect(found == firsts.reversed())
    #expect(held.destinationKey(of: -1) == nil)
    #expect(held.destinationKey(of: .max) == nil)
    #expect(held.destinationKey(of: .min) == nil)
  }

  @Test(arguments: counts, Pairs.Shape.allCases)
  func `the same keys in ascending order, one block at a time`(
    count: Int,
    shape: Pairs.Shape
  ) throws {
    let folder = TemporaryDirectory()
    let pairs = Pairs(count, shape)
    var writer = try AssociationWriter(folder: folder.path, prefix: "t", memoryLimit: 0)
    try writer.append(pairs.sources, with: pairs.destinations)
    let table = AssociationTable(segments: try writer.seal(), in: folder.path)
    let ordered = try AssociationCursor(table)
    let firsts = Self.firsts(pairs)
    for key in firsts.indices {
      // A row may ask twice.
      #expect(try ordered.destinationKey(of: Int64(key)) == firsts[key])
      #expect(try ordered.destinationKey(of: Int64(key)) == firsts[key])
    }
    #expect(try ordered.destinationKey(of: 1) == (firsts.count > 1 ? firsts[1] : nil))
  }

  /// A bit for each of 1,000,001 keys, and four bytes for each where destinations differ.
  @Test(arguments: [(1, 125_008), (2, 4_000_004)])
  func `keys far from one another take memory for what is between them`(
    distance: Int64,
    bytes: Int
  ) throws {
    let folder = TemporaryDirectory()
    var pairs = Pairs()
    pairs.sources = [5, 1_000_005]
    pairs.destinations = [6, 1_000_005 + distance]
    let table = try AssociationTable(pairs, in: folder.path)
    #expect(try HeldAssociations(table, within: bytes - 8) == nil)
    let held = try #require(try HeldAssociations(table, within: bytes + 8))
    #expect(held.memoryUse == bytes)
    #expect(held.destinationKey(of: 1_000_005) == 1_000_005 + distance)
    #expect(held.destinationKey(of: 6) == nil)
  }

  @Test func `keys at both ends of 64 bits are not held`() throws {
    let folder = TemporaryDirectory()
    var pairs = Pairs()
    (pairs.sources, pairs.destinations) = ([.min, .max], [1, 2])
    let table = try AssociationTable(pairs, in: folder.path)
    #expect(try HeldAssociations(table, within: 1 << 40) == nil)
    #expect(try AssociationCursor(table).destinationKey(of: .max) == 2)
  }
}
