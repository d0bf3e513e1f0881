import BulkTestSupport
import Testing

/// Stores by chance that are copied and changed hold what they hold when they are rebuilt.
struct RandomCopyTests {
  private let directory = TemporaryDirectory()

  @Test(arguments: RandomSeeds.first(30))
  func `a copy holds what a new store holds`(seed: UInt64) throws {
    let random = try RandomChain(seed: seed, versions: 2 + Int(seed % 4))
    let chain = try random.chain(in: directory)
    guard let copied = try copy(chain) else { return }
    let differences = try copied.meaning()
      .difference(from: chain.firstLeg("rebuilt", .rebuild).meaning())
    if !differences.isEmpty { Issue.record("\(differences.map { "\($0)" }.prefix(8))\n\(random)") }
    #expect(try copied.integrity() == [["ok"]], "\(random)")
  }

  @Test func `most chains can be copied`() throws {
    let copied = try (0..<20 as Range<UInt64>).count { seed in
      let folder = TemporaryDirectory()
      return try copy(try RandomChain(seed: seed, versions: 2).chain(in: folder)) != nil
    }
    #expect(copied > 10, "\(copied) of 20")
  }

  /// The first leg of a chain, copied; `nil` if it must be rebuilt, or fails either way.
  private func copy(_ chain: Chain) throws -> StoreFile? {
    do {
      return try chain.firstLeg("copied", .copy)
    } catch PlanError.cannotCopy {
      return nil
    } catch {
      #expect(throws: (any Error).self, "\(error)") { try chain.firstLeg("failed", .rebuild) }
      return nil
    }
  }
}
