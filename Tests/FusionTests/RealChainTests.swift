import BulkTestSupport
import Testing

/// A store that Core Data wrote and the models of the versions after it.
struct RealChain: CustomStringConvertible, Sendable {
  let store: String
  /// The models, from that of the store on.
  let models: [String]
  /// The store that Core Data itself made for the last model.
  let last: String

  var description: String { store }

  /// Every store of a chain with all models that follow.
  static let all: [RealChain] = OraclePair.all.compactMap { pair in
    let following = OraclePair.all.drop { $0.source != pair.source }
      .filter { $0.chain == pair.chain }
    guard let model = pair.sourceModel, let last = following.last else { return nil }
    return RealChain(
      store: pair.source,
      models: [model] + following.map(\.destinationModel),
      last: last.destination
    )
  }
}

/// Stores of an application over many of its versions; without `../shared` these tests are skipped.
@Suite("Real stores, fused", .enabled(if: SharedData.isPresent, "../shared is not there"))
struct RealChainTests {
  private let directory = TemporaryDirectory()

  private func chain(_ chain: RealChain) -> Chain {
    Chain(
      models: chain.models.map(SharedData.path),
      store: SharedData.path(chain.store),
      in: directory
    )
  }

  /// Every third chain, the longest one first, which takes longest: each has those that begin later within it.
  private static let some = RealChain.all.indices.filter { $0 % 3 == 0 }.map { RealChain.all[$0] }

  @Test func `there are twenty-five chains`() { #expect(RealChain.all.count == 25) }

  @Test(arguments: RandomSeeds.some(of: some.reversed(), every: 9))
  func `a store becomes in one what it becomes version by version`(real: RealChain) throws {
    let chain = chain(real)
    #expect(try chain.legs().map(\.boundary) == [[]])
    let (one, other) = (try chain.fused("fused"), try chain.stepwise("stepwise"))
    #expect(try one.bytes() == other.bytes())
    #expect(try one.contents() == other.contents())
    #expect(try chain.fused("sql", bySQL: true).contents() == one.contents())
    #expect(try one.integrity() == [["ok"]])
  }

  @Test(arguments: RandomSeeds.some(of: RealChain.all.reversed(), every: 13))
  func `a store becomes in one what Core Data made of it in many`(real: RealChain) throws {
    let made = try chain(real).fused("fused")
    #expect(
      try SharedData.difference(expected: SharedData.path(real.last), actual: made.path) == "same"
    )
  }
}
