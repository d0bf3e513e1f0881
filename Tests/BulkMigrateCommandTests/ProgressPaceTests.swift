import Testing

@testable import BulkMigrateCommand

struct ProgressPaceTests {
  @Test func `neither one observation nor rows that were finished before the first make a pace`() {
    let first = pace([(0, 0)])
    #expect(first.rowsPerSecond == nil)
    #expect(first.remaining == nil)
    #expect(!first.isSteady)
    #expect(pace([(100, 0), (100, 10)]).remaining == nil)
    let pace = pace([(500, 0), (600, 10)])
    #expect(pace.rowsPerSecond == 10)
    #expect(pace.remaining.map(Self.tenths) == 400)
  }

  @Test func `observations within a second count as one, and a changed pace is believed by and by`()
  {
    #expect(pace([(0, 0), (90, 0.5), (100, 1)]).rowsPerSecond == 100)
    #expect(pace([(0, 0), (100, 10), (400, 20)]).rowsPerSecond == 20)
  }

  @Test func `the first second makes no forecast, and counts as much as the second one`() {
    #expect(pace([(0, 0), (1, 1)]).remaining == nil)
    let pace = pace([(0, 0), (1, 1), (101, 2)])
    #expect(pace.rowsPerSecond == 50.5)
    // 899 rows at 50.5 a second.
    #expect(pace.remaining.map(Self.tenths) == 178)
  }

  @Test func `an even pace is steady after five forecasts, one that doubles is not`() {
    let observations = (0...6).map { (Int64($0) * 100, Double($0)) }
    #expect(!pace(Array(observations.dropLast())).isSteady)
    #expect(pace(observations).isSteady)
    let rows: [Int64] = [0, 10, 20, 40, 80, 160]
    #expect(!pace(rows.enumerated().map { ($1, Double($0)) }).isSteady)
  }

  @Test func `work without rows makes a forecast, a share that is not known none`() {
    var (known, unknown) = (ProgressPace(), ProgressPace())
    for second in 0...4 {
      known.record(7, share: Double(second) / 100, at: .seconds(second))
      unknown.record(Int64(second), share: nil, at: .seconds(second))
    }
    #expect(known.rowsPerSecond == 0)
    #expect(known.remaining.map(Self.tenths) == 960)
    #expect(unknown.rowsPerSecond == 1)
    #expect(unknown.remaining == nil)
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
