import Testing

@testable import BulkMigrateCommand

@Suite("The pace of a migration")
struct ProgressPaceTests {
  @Test func `one observation makes no pace`() {
    let pace = pace([(0, 0)])
    #expect(pace.rowsPerSecond == nil)
    #expect(pace.remaining == nil)
    #expect(!pace.isSteady)
  }

  @Test func `rows that were finished before the first observation make no pace`() {
    let pace = pace([(500, 0), (600, 10)])
    #expect(pace.rowsPerSecond == 10)
    #expect(pace.remaining.map(Self.tenths) == 400)
  }

  @Test func `observations within a second count as one`() {
    #expect(pace([(0, 0), (90, 0.5), (100, 1)]).rowsPerSecond == 100)
  }

  @Test func `a changed pace is believed by and by`() {
    #expect(pace([(0, 0), (100, 10), (400, 20)]).rowsPerSecond == 20)
  }

  @Test func `the first second makes no forecast, and counts as much as the second one`() {
    #expect(pace([(0, 0), (1, 1)]).remaining == nil)
    let pace = pace([(0, 0), (1, 1), (101, 2)])
    #expect(pace.rowsPerSecond == 50.5)
    // 899 rows at 50.5 a second.
    #expect(pace.remaining.map(Self.tenths) == 178)
  }

  @Test func `an even pace is steady after five forecasts`() {
    let observations = (0...6).map { (Int64($0) * 100, Double($0)) }
    #expect(!pace(Array(observations.dropLast())).isSteady)
    #expect(pace(observations).isSteady)
  }

  @Test func `a pace that doubles is not steady`() {
    let rows: [Int64] = [0, 10, 20, 40, 80, 160]
    #expect(!pace(rows.enumerated().map { ($1, Double($0)) }).isSteady)
  }

  @Test func `work without rows makes a forecast`() {
    var pace = ProgressPace()
    for second in 0...4 { pace.record(7, share: Double(second) / 100, at: .seconds(second)) }
    #expect(pace.rowsPerSecond == 0)
    #expect(pace.remaining.map(Self.tenths) == 960)
  }

  @Test func `a share that is not known makes no forecast`() {
    var pace = ProgressPace()
    for second in 0...4 { pace.record(Int64(second), share: nil, at: .seconds(second)) }
    #expect(pace.rowsPerSecond == 1)
    #expect(pace.remaining == nil)
  }

  @Test func `no rows at all make no forecast`() {
    #expect(pace([(100, 0), (100, 10)]).remaining == nil)
  }

  /// The pace after finished rows, of a thousand, were seen at some seconds.
  private func pace(_ observations: [(rows: Int64, seconds: Double)]) -> ProgressPace {
    var pace = ProgressPace()
    for (rows, seconds) in observations {
      pace.record(rows, share: Double(rows) / 1_000, at: .seconds(seconds))
    }
    return pace
  }

  private static func tenths(_ time: Duration) -> Int { Int((time / .milliseconds(100)).rounded()) }
}
