import Testing

/// Random stores and mapping models; `tools/relationships` tries many more.
@Suite("Random relationships")
struct RandomScenarioTests {
  /// 120 plans in 30 parts, over one path after the other.
  @Test(arguments: 0..<30)
  func `relationships come out as those of plain objects do`(part: Int) throws {
    let path = MigrationPath.allCases[part % MigrationPath.allCases.count]
    var campaign = Campaign(over: path)
    campaign.shrinks = 1
    let first = UInt64(part) * 100
    try campaign.run(plans: 4, seeds: first..<first + 100)
    #expect(campaign.plans == 4)
    for failure in campaign.failures { Issue.record("\(failure)") }
  }
}
