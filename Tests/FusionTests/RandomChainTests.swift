import BulkPlan
import BulkTestSupport
import Testing

/// Chains of versions by chance, done as one and one by one.
@Suite("Random chains, fused")
struct RandomChainTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: RandomSeeds.first(60))
  func `versions give as one what they give one by one`(seed: UInt64) throws {
    try compare(seed: seed, versions: 2 + Int(min(seed % 11, seed / 11 % 11)))
  }

  @Test func `sixty versions give as one what they give one by one`() throws {
    try compare(seed: 60, versions: 60)
  }

  @Test(arguments: RandomSeeds.first(60))
  func `versions that mapping models lead to give as one what they give one by one`(
    seed: UInt64
  ) throws {
    try compare(RandomChain(mappedWithSeed: seed))
  }

  @Test func `of versions that mapping models lead to many are not made`() throws {
    var (saved, versions) = (0, 0)
    for seed in 0..<100 as Range<UInt64> {
      let chain = try RandomChain(mappedWithSeed: seed).chain(in: try TemporaryDirectory())
      guard let legs = try? chain.legs() else { continue }
      saved += legs.reduce(0) { $0 + $1.steps - 1 }
      versions += chain.models.count - 2
    }
    #expect(saved * 3 > versions, "\(saved) of \(versions)")
  }

  private func compare(seed: UInt64, versions: Int) throws {
    try compare(RandomChain(seed: seed, versions: versions))
  }

  private func compare(_ random: RandomChain) throws {
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
      guard try one.bytes() != other.bytes() else { return }
      let differences = try other.contents().difference(from: one.contents())
      // A relationship that only one of the two sets after its rows has its index elsewhere in the file.
      guard !differences.isEmpty else { return }
      Issue.record("\(differences.map { "\($0)" }.prefix(8))\n\(text)\n\(legs.map(\.boundary))")
    case (.failure, .failure): break
    case (.failure(let error), .success):
      Issue.record("only step by step it fails: \(error)\n\(text)\n\(legs.map(\.boundary))")
    case (.success, .failure(let error)):
      Issue.record("only as one it fails: \(error)\n\(text)\n\(legs.map(\.boundary))")
    }
  }
}
