import BulkTestSupport
import Testing

/// Random stores and mapping models whose objects are found, created and divided.
@Suite("Random shared objects")
struct RandomSharingTests {
  @Test(arguments: RandomSeeds.first(30))
  func `relationships of shared objects come out as those of plain objects do`(part: UInt64) throws
  {
    let paths = MigrationPath.ofOneStep
    let path = paths[Int(part % UInt64(paths.count))]
    var plans = 0
    for seed in part * 100..<part * 100 + 100 where plans < 4 {
      let scenario = Scenario(sharing: seed)
      guard scenario.steps[0].mappings.contains(where: { $0.sharing != nil }) else { continue }
      switch try Trial.verdict(on: scenario, by: path) {
      case .refused: continue
      case .compared(let differences):
        plans += 1
        let texts = differences.prefix(3).map { "\($0)" }.joined(separator: "; ")
        #expect(differences.isEmpty, "seed \(seed) by \(path): \(texts)")
      }
    }
    #expect(plans > 0)
  }
}
