import BulkTestSupport
import Testing

/// A damaged store gives an error that names it, or what SQLite itself reads from it.
struct DamagedStoreTests {
  private let store: SmallStore

  init() throws { store = try SmallStore() }

  /// The store, or one whose records are all copied, which lets damage through that nobody looks for.
  private func store(isCopied: Bool) throws -> SmallStore {
    isCopied ? try SmallStore(to: SmallModel.grown) : store
  }

  @Test(arguments: [false, true])
  func `a sound store is migrated rightly`(isCopied: Bool) throws {
    let store = try store(isCopied: isCopied)
    #expect(try Trial(store: store).run(store.bytes) == .right)
  }

  /// The Z_ENT of a folder becomes an empty text, while the index on it still says 1.
  @Test func `a row whose number contradicts its index is refused`() throws {
    let flip = Mutation.flip(bit: 12_143 * 8 + 2)
    let outcome = try Trial(store: store).run(flip.applied(to: store.bytes))
    #expect(outcome == .refused)
  }

  /// A page of a table says that it has 16 rows fewer than it has, while an index knows of all.
  @Test func `rows that are on no page any more are refused`() throws {
    let flip = Mutation.flip(bit: 8_196 * 8 + 4)
    #expect(try Trial(store: store).run(flip.applied(to: store.bytes)) == .refused)
  }

  /// The entity number of a note's folder becomes an empty text, or a number that no entity has.
  @Test(arguments: [66_271 * 8 + 2, 66_458 * 8 + 4, 65_753 * 8 + 6, 73_374 * 8 + 1])
  func `the number of an entity that is not there becomes NULL`(bit: Int) throws {
    #expect(try Trial(store: store).run(Mutation.flip(bit: bit).applied(to: store.bytes)) == .right)
  }

  @Test(arguments: 0..<8)
  func `a store that ends early is refused`(part: Int) throws {
    let cuts = MutationCampaign.cuts(of: store.bytes)
    let mine = cuts.indices.filter { $0 % 8 == part }.map { cuts[$0] }
    let outcomes = try MutationCampaign.run(mine, on: store)
    #expect(outcomes.wrong == [])
    #expect(outcomes.right == 0)
  }

  @Test func `a copied store that ends early is noticed, or what it now says is migrated`() throws {
    let store = try store(isCopied: true)
    #expect(try MutationCampaign.run(MutationCampaign.cuts(of: store.bytes), on: store).wrong == [])
  }

  @Test(arguments: RandomSeeds.first(16), [false, true])
  func `a flipped bit is noticed, or what the file now says is migrated`(
    seed: UInt64,
    isCopied: Bool
  ) throws {
    let store = try store(isCopied: isCopied)
    let flips = MutationCampaign.flips(of: store.bytes, case: seed)
    #expect(try MutationCampaign.run(flips, on: store).wrong == [])
  }
}
