import BulkTestSupport
import Testing

@Suite struct AssociationLookupTests {
  @Test(arguments: Pairs.Shape.allCases, [Int.max, 0])
  func `a page of keys finds what a dictionary finds`(shape: Pairs.Shape, memoryLimit: Int) throws {
    let folder = TemporaryDirectory()
    let pairs = Pairs(50_000, shape)
    let table = try AssociationTable(pairs, in: folder.path, memoryLimit: memoryLimit)
    let expected = pairs.destinationsBySource
    let lookup = try AssociationCursor(table)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<5 {
      let keys = (0..<1000).map { _ in Int64.random(in: -5...80_000, using: &generator) }.sorted()
      let matches = try lookup.matches(of: keys)
      let wanted = keys.indices.flatMap { position in
        (expected[keys[position]] ?? []).map {
          AssociationCursor.Match(position: position, destinationKey: $0)
        }
      }
      #expect(matches == wanted)
      let first = try lookup.destinationKeys(of: keys)
      #expect(first == keys.map { expected[$0]?.first })
    }
  }

  @Test func `a key with more destinations than a block has runs finds all of them`() throws {
    let folder = TemporaryDirectory()
    var pairs = Pairs()
    pairs.sources = [1] + [Int64](repeating: 5, count: 10_000) + [6]
    pairs.destinations = [0] + (0..<10_000).map { $0 * 2 } + [-1]
    let table = try AssociationTable(pairs, in: folder.path)
    let lookup = try AssociationCursor(table)
    let twice = try lookup.matches(of: [5, 5, 6])
    #expect(twice.count { $0.position == 1 } == 10_000)
    let once = try lookup.matches(of: [4, 5])
    #expect(once.map(\.destinationKey) == (0..<10_000).map { $0 * 2 })
    let first = try lookup.destinationKeys(of: [1, 2, 5, 5, 6, 7])
    #expect(first == [0, nil, 0, 0, -1, nil])
  }

  @Test func `the whole range of a run is found, and nothing beside it`() throws {
    let folder = TemporaryDirectory()
    var writer = try AssociationWriter(folder: folder.path, prefix: "t", memoryLimit: 0)
    try writer.append(AssociationRun(sourceKey: 10, destinationKey: 100, length: 5))
    try writer.append(AssociationRun(sourceKey: 14, destinationKey: 50, length: 2))
    let lookup = try AssociationCursor(writer.finish())
    let first = try lookup.destinationKeys(of: [9, 10, 14, 15, 16])
    #expect(first == [nil, 100, 104, 51, nil])
    let all = try lookup.matches(of: [14])
    #expect(all.map(\.destinationKey) == [104, 50])
  }

  @Test(arguments: [[], [1], [.min, 0, .max]] as [[Int64]])
  func `an empty table has no destinations`(keys: [Int64]) throws {
    let folder = TemporaryDirectory()
    let lookup = try AssociationCursor(AssociationTable(Pairs(), in: folder.path))
    let matches = try lookup.matches(of: keys)
    #expect(matches == [])
  }

  @Test func `a page whose keys do not ascend is refused`() throws {
    let folder = TemporaryDirectory()
    let lookup = try AssociationCursor(AssociationTable(Pairs(9, .kept), in: folder.path))
    #expect(throws: AssociationError.unorderedSourceKey(2, after: 3)) {
      try lookup.matches(of: [3, 2])
    }
  }
}
