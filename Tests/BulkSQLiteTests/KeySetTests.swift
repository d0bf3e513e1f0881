@testable import BulkSQLite
import BulkTestSupport
import Testing

struct KeySetTests {
  private func set(_ keys: [Int64], within bytes: Int = 1 << 10) -> KeySet? {
    var set = KeySet(within: bytes)
    for key in keys where !set.insert(key) { return nil }
    return set
  }

  @Test func `keys that follow one another take no memory`() throws {
    let all = try #require(set(Array(1_000_000...1_010_000)))
    #expect(all.bytes == 0)
    #expect(
      [999_999, 1_000_000, 1_010_000, 1_010_001].map(all.contains) == [false, true, true, false]
    )
    #expect(set([.min, .min + 1])?.contains(.min) == true)
    #expect(set([.max, .min]) == nil)
  }

  @Test func `others take a bit each, or have no space`() throws {
    // 16 bytes have 128 bits.
    let some = try #require(set([1, 2, 3, 127], within: 16))
    #expect([0, 1, 2, 3, 4, 126, 127, 128].filter { some.contains($0) } == [1, 2, 3, 127])
    // The allocator adds some.
    #expect((16...32).contains(some.bytes))
    #expect(set([1, 128], within: 16) == nil)
    #expect(set([-1, 1], within: 16) == nil)
    #expect(set([126, 127, 128, 130], within: 16) == nil)
  }

  @Test func `values without space are among keys that follow one another`() throws {
    var values = ColumnValues(in: KeySet(within: 0))
    for value: Int64 in [9, 3, 5, 3] { values.insert(value) }
    #expect(values.bytes == 0)
    let runs: [[Int64]] = [
      [3, 4, 5, 6, 7, 8, 9], [4, 5, 6, 7, 8, 9], [3, 4, 5, 6, 7, 8], [3, 5, 9],
    ]
    #expect(
      try runs.map { values.isSubset(of: try #require(set($0))) } == [true, false, false, false]
    )
    #expect(ColumnValues(in: KeySet(within: 0)).isSubset(of: KeySet(within: 0)))
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `a random set has its keys, and is the subset that it is`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func keys() -> [Int64] {
      let first = Int64.random(in: 0...100, using: &generator)
      let run = Array(first...first + Int64.random(in: 0...90, using: &generator))
      let others = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        Int64.random(in: 0...300, using: &generator)
      }
      return Bool.random(using: &generator) ? run + others : others
    }
    for _ in 1...40 {
      let (one, two) = (keys(), keys())
      let (first, second) = (try #require(set(one)), try #require(set(two)))
      #expect((0...310).filter { first.contains($0) } == Set(one).sorted())
      #expect(first.isSubset(of: second) == Set(one).isSubset(of: Set(two)))
      #expect(first.isSubset(of: first))
    }
  }
}
