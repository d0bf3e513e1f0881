import BulkTestSupport
import Foundation
import Testing

/// What `tools/hostile` asks for: a part of the whole campaign, told to a file.
private struct Part {
  let number: Int
  let count: Int
  let report: String

  /// The part that the environment names as `NUMBER/COUNT/FILE`; `nil` in an ordinary run.
  static let asked: Part? = {
    let words = (ProcessInfo.processInfo.environment["HOSTILE_PART"] ?? "")
      .split(separator: "/", maxSplits: 2).map(String.init)
    guard words.count == 3, let number = Int(words[0]), let count = Int(words[1]) else {
      return nil
    }
    return Part(number: number, count: count, report: words[2])
  }()
}

@Suite("The whole campaign", .enabled(if: Part.asked != nil, "tools/hostile runs it"))
struct WholeCampaignTests {
  /// A flip of one bit of every byte of the first 16 pages' headers, and of others here and there.
  @Test func `no damage of the whole campaign goes wrong`() throws {
    let part = try #require(Part.asked)
    var result = MutationCampaign()
    for model in [SmallModel.second, SmallModel.grown] {
      let store = try SmallStore(to: model)
      let all = MutationCampaign.cuts(of: store.bytes) + MutationCampaign.flips(of: store.bytes)
      let mine = all.indices.filter { $0 % part.count == part.number }.map { all[$0] }
      result.add(try MutationCampaign.run(mine, on: store))
    }
    let lines =
      ["\(result.count) \(result.right) \(result.refused) \(result.wrong.count)"] + result.wrong
    try Files.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: part.report)
    #expect(result.wrong == [])
  }
}
