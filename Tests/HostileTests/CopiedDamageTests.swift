import BulkTestSupport
import Testing

/// A damaged store that is to be copied gives the error that it gives when all rows are rewritten, or what
/// SQLite itself reads from it.
struct CopiedDamageTests {
  private let copied: SmallStore
  private let rebuilt: SmallStore

  init() throws {
    copied = try SmallStore(by: .copy)
    rebuilt = try SmallStore(by: .rebuild)
  }

  @Test func `a sound store is migrated rightly`() throws {
    #expect(try Trial(store: copied).run(copied.bytes) == .right)
  }

  @Test(arguments: 0..<8)
  func `a flipped bit is told as by a migration that reads all rows`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed + 2_000))
    for _ in 0..<5 {
      let flip = Mutation.flip(bit: Int.random(in: 0..<(copied.bytes.count * 8), using: &random))
      try compare(flip)
    }
  }

  @Test(arguments: 0..<8)
  func `a store that ends early is refused in the same words`(part: Int) throws {
    let cuts = MutationCampaign.cuts(of: copied.bytes)
    for index in cuts.indices where index % 8 == part { try compare(cuts[index]) }
  }

  private func compare(_ mutation: Mutation) throws {
    let one = try Trial(store: copied).message(mutation.applied(to: copied.bytes))
    let other = try Trial(store: rebuilt).message(mutation.applied(to: rebuilt.bytes))
    // A changed statement may keep a store from being copied at all.
    if let one, other == nil, one.contains("cannot be changed as it is") { return }
    #expect(one == other, "\(mutation)")
  }
}
