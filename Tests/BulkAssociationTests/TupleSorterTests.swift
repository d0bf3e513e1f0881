import BulkTestSupport
import Testing

/// Tuples are sorted alike, however many of them fit into memory.
struct TupleSorterTests {
  private static func sorted(_ tuples: [NumberTuple]) throws -> [NumberTuple] {
    let folder = TemporaryDirectory()
    let scratch = SortScratch(in: folder.path, prefix: "tuples", memory: 1 << 20)
    let sorter = ExternalSorter<NumberTuple>((), in: scratch)
    for tuple in tuples { try sorter.add(tuple) }
    let sorted = try sorter.sorted()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.isEmpty, "runs lie in files without a name")
    var result: [NumberTuple] = []
    while let tuple = try sorted() { result.append(tuple) }
    return result
  }

  private static func numbers(_ tuple: NumberTuple) -> (UInt64, UInt64, UInt64, UInt64) {
    (tuple.first, tuple.second, tuple.third, tuple.fourth)
  }

  /// 20,164 tuples fit into 1 MiB, so that there are none, several and more than 64 runs.
  @Test(arguments: [0, 1, 2, 20_164, 20_165, 100_000, 1_300_000])
  func `every number of tuples comes back in order`(count: Int) throws {
    var generator = SeededGenerator(seed: 7)
    let tuples = (0..<count).map { number in
      NumberTuple(
        generator.next(),
        generator.next() % 3,
        generator.next() % 2,
        then: UInt64(number)
      )
    }
    let sorted = try Self.sorted(tuples)
    #expect(sorted.count == count && sorted.allSatisfy { tuples[Int($0.fourth)] == $0 })
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { Self.numbers($0) < Self.numbers($1) })
  }

  /// 20,164 tuples are a run; 60,000 are written in 157 blocks, and read in as many.
  @Test(arguments: [0, 100, 200])
  func `a sort that is stopped ends with the block`(blocks: Int) throws {
    let folder = TemporaryDirectory()
    var left = blocks
    let scratch = SortScratch(in: folder.path, prefix: "tuples", memory: 1 << 20) {
      left -= 1
      return left < 0
    }
    let sorter = ExternalSorter<NumberTuple>((), in: scratch)
    #expect(throws: AssociationError.stopped) {
      for number in 0..<60_000 { try sorter.add(NumberTuple(UInt64(number), 0, 0)) }
      let sorted = try sorter.sorted()
      while try sorted() != nil {}
    }
    #expect(left == -1)
  }

  @Test(arguments: [0, 1, UInt64.max])
  func `equal numbers leave the order to those after them`(first: UInt64) throws {
    let numbers: Range<UInt64> = 0..<300
    let sorted = try Self.sorted(numbers.map { NumberTuple(first, $0 % 2, 299 - $0) })
    #expect(sorted.map(\.second) == numbers.map { $0 / 150 })
    #expect(sorted.prefix(150).map(\.third) == numbers.prefix(150).map { 2 * $0 + 1 })
  }

  @Test func `least and greatest numbers stand at the ends`() throws {
    let tuples = [UInt64.max, 0, 1 << 63, UInt64.max - 1].map { NumberTuple($0, 0, 0) }
    #expect(try Self.sorted(tuples).map(\.first) == [0, 1 << 63, UInt64.max - 1, UInt64.max])
  }
}
