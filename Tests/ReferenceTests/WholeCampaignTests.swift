import BulkTestSupport
import Foundation
import Testing

/// What `tools/relationships` asks for: plans over one path, told to a file.
private struct Part {
  let path: MigrationPath
  let firstSeed: UInt64
  let plans: Int
  let shrinks: Int
  let report: String

  /// The part that the environment names as `PATH/SEED/PLANS/SHRINKS/FILE`; `nil` in an ordinary run.
  static let asked: Part? = {
    let words = (ProcessInfo.processInfo.environment["RELATIONSHIPS_PART"] ?? "")
      .split(separator: "/", maxSplits: 4).map(String.init)
    guard words.count == 5, let path = MigrationPath(rawValue: words[0]),
      let seed = UInt64(words[1]), let plans = Int(words[2]), let shrinks = Int(words[3])
    else { return nil }
    return Part(path: path, firstSeed: seed, plans: plans, shrinks: shrinks, report: words[4])
  }()
}

@Suite(
  "The whole campaign of relationships",
  .enabled(if: Part.asked != nil, "tools/relationships runs it")
)
struct WholeCampaignTests {
  @Test func `relationships of the whole campaign come out as those of plain objects do`() throws {
    let part = try #require(Part.asked)
    var campaign = Campaign(over: part.path)
    campaign.shrinks = part.shrinks
    try campaign.run(plans: part.plans, seeds: part.firstSeed...UInt64.max)
    try Files.write(Array(campaign.report.utf8), to: part.report)
    #expect(campaign.failures.count == 0)
  }
}
