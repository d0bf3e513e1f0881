import BulkTestSupport
import Testing

/// Chains of versions by chance, done as one and one by one.
struct RandomChainTests {
  @Test func `versions give as one what they give one by one`() throws {
    let seeds = RandomSeeds.first(24)
    let made = try seeds.count { seed in
      try compare(RandomChain(seed: seed, versions: 2 + Int(min(seed % 11, seed / 4 % 11))))
    }
    #expect(
      seeds.count < 24 || made * 24 >= 20 * seeds.count,
      "\(made) of \(seeds.count) can be migrated"
    )
  }

  @Test func `thirty versions give as one what they give one by one`() throws {
    // Most chains of so many versions are refused, since a rule or an abstract entity comes in their way.
    #expect(try compare(RandomChain(seed: 75, versions: 30)))
  }

  @Test func `versions that mapping models lead to give as one what they give one by one`() throws {
    let seeds = RandomSeeds.first(24)
    let made = try seeds.count { try compare(RandomChain(mappedWithSeed: $0)) }
    #expect(
      seeds.count < 24 || made * 24 >= 14 * seeds.count,
      "\(made) of \(seeds.count) can be migrated"
    )
  }

  /// Whether a chain can be migrated; if it cannot, both ways tell the same error first.
  private func compare(_ random: RandomChain) throws -> Bool {
    let directory = TemporaryDirectory()
    let (chain, text) = (try random.chain(in: directory), random.description)
    let legs = (try? chain.legs()) ?? []
    let stepwise = Result { try chain.stepwise("stepwise") }
    let fused = Result { try chain.fused("fused") }
    switch (stepwise, fused) {
    case (.success(let one), .success(let other)):
      let inserted = try chain.fused("sql", bySQL: true).contents()
      let rows = try inserted.difference(from: other.contents())
      if !rows.isEmpty { Issue.record("SQLite: \(rows.map { "\($0)" }.prefix(8))\n\(text)") }
      #expect(try other.integrity() == [["ok"]])
      guard try one.bytes() != other.bytes() else { return true }
      let differences = try other.contents().difference(from: one.contents())
      // A relationship that only one of the two sets after its rows has its index elsewhere in the file.
      guard !differences.isEmpty else { return true }
      Issue.record("\(differences.map { "\($0)" }.prefix(8))\n\(text)\n\(legs.map(\.boundary))")
      return true
    case (.failure(let one), .failure(let other)):
      // All steps are planned as one before a row is read, and all that is refused is told.
      guard one is PlanError || !(other is PlanError) else { return false }
      #expect(
        Self.told(by: other).hasPrefix(Self.told(by: one)),
        "\(text)\n\(legs.map(\.boundary))"
      )
    case (.failure(let error), .success):
      Issue.record("only step by step it fails: \(error)\n\(text)\n\(legs.map(\.boundary))")
    case (.success, .failure(let error)):
      Issue.record("only as one it fails: \(error)\n\(text)\n\(legs.map(\.boundary))")
    }
    return false
  }

  /// The text of an error, without the names that a store and an entity have in the middle of a chain only.
  private static func told(by error: any Error) -> String {
    "\(error)".replacing(/(stepwise|fused)-[0-9]+/, with: "made")
      .replacing(/[A-Z][a-z]+\.(?=[a-z]+: )/, with: "")
  }
}
