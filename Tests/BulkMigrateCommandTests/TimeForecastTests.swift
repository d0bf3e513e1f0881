import Testing

@testable import BulkMigrateCommand

@Suite("Times left by earlier runs")
struct TimeForecastTests {
  /// Runs that took so many seconds, a tenth of it after the last row, where ten were estimated.
  private func runs(_ seconds: Double...) -> [RunHistory.Run] {
    seconds.map {
      RunHistory.Run(
        kind: "rebuild",
        estimatedSeconds: 10,
        seconds: $0 * 1.1,
        rowSeconds: $0,
        rows: 1_000
      )
    }
  }

  private func snapshot(_ rows: Int64, followsRows: Bool = false) -> ProgressSnapshot {
    var snapshot = ProgressSnapshot(
      pass: 1,
      passCount: 1,
      stage: "rows",
      rowsDone: rows,
      rowsTotal: 1_000
    )
    snapshot.followsRows = followsRows
    return snapshot
  }

  @Test func `too few runs, or others, say nothing`() {
    #expect(TimeForecast(after: runs(10), kind: "rebuild", estimatedSeconds: 10) == nil)
    #expect(TimeForecast(after: runs(10, 10), kind: "copy", estimatedSeconds: 10) == nil)
    #expect(TimeForecast(after: runs(10, 10), kind: "rebuild", estimatedSeconds: 300) == nil)
    #expect(TimeForecast(after: runs(10, 10), kind: "rebuild", estimatedSeconds: 100) != nil)
  }

  @Test func `at first earlier runs count, then the rate of this one`() throws {
    var forecast = try #require(
      TimeForecast(after: runs(10, 30), kind: "rebuild", estimatedSeconds: 100)
    )
    forecast.note(snapshot(0), at: .seconds(5))
    // A tenth less than 110 s, and a tenth more than 330 s.
    let before = try #require(forecast.left)
    #expect(abs(before.lowerBound - 99) < 0.01 && abs(before.upperBound - 363) < 0.01)
    // Half of the rows in 10 s: 10 s for the others, 2 s after the last one.
    forecast.note(snapshot(500), at: .seconds(15))
    let after = try #require(forecast.left)
    #expect(abs(after.lowerBound - 10.2) < 0.01 && abs(after.upperBound - 13.8) < 0.01)
  }

  @Test func `where there may be fewer rows the share of the work counts`() throws {
    var forecast = try #require(
      TimeForecast(after: runs(10, 30), kind: "rebuild", estimatedSeconds: 100)
    )
    func note(_ share: Double, at seconds: Int) {
      var snapshot = snapshot(1)
      (snapshot.isUpperBound, snapshot.share) = (true, share)
      forecast.note(snapshot, at: .seconds(seconds))
    }
    note(0, at: 5)
    // A tenth less than 110 s, and a tenth more than 330 s.
    let before = try #require(forecast.left)
    #expect(abs(before.lowerBound - 99) < 0.01 && abs(before.upperBound - 363) < 0.01)
    // Half of the work in 10 s: 10 s for the other half, give or take a quarter.
    note(0.5, at: 15)
    let after = try #require(forecast.left)
    #expect(abs(after.lowerBound - 7.5) < 0.01 && abs(after.upperBound - 12.5) < 0.01)
  }

  @Test func `after the last row the rest is what it was in earlier runs, and ends`() throws {
    var forecast = try #require(
      TimeForecast(after: runs(10, 30), kind: "rebuild", estimatedSeconds: 100)
    )
    forecast.note(snapshot(0), at: .seconds(0))
    forecast.note(snapshot(1_000, followsRows: true), at: .seconds(20))
    let rest = try #require(forecast.left)
    #expect(abs(rest.lowerBound - 2) < 0.01 && abs(rest.upperBound - 2) < 0.01)
    forecast.note(snapshot(1_000, followsRows: true), at: .seconds(23))
    #expect(forecast.left == nil)
  }

  @Test(
    arguments: [
      (0...9, "less than 10 s left"), (22...38, "20 to 40 s left"), (3...38, "up to 40 s left"),
      (241...409, "4 to 7 min left"), (240...240, "about 4 min left"),
      (4_000...7_200, "1 to 2 h left"), (5_500...7_300, "1.5 to 2.5 h left"),
    ] as [(ClosedRange<Double>, String)]
  )
  func `a range is told in one unit`(left: ClosedRange<Double>, text: String) {
    #expect(TimeLeftText.text(left) == text)
  }

  @Test func `the line of progress tells the range`() {
    let line = ProgressLine.text(snapshot(500), pace: ProgressPace(), left: 241...409, width: nil)
    #expect(line == "pass 1/1 rows  500/1,000 rows 50%  4 to 7 min left")
  }

  @Test func `a task that is no migration has a line, too`() {
    let planning = ProgressSnapshot("reading the store", 50 << 20, of: 200 << 20, .bytes)
    #expect(
      ProgressLine.text(planning, pace: ProgressPace(), width: nil)
        == "reading the store  50 MiB/200 MiB 25%"
    )
    let counting = ProgressSnapshot("counting rows", 0, of: 0, .bytes)
    #expect(ProgressLine.text(counting, pace: ProgressPace(), width: nil) == "counting rows")
    let making = ProgressSnapshot("making Notes.sqlite", 1_500, of: 1_000, .rows)
    #expect(
      ProgressLine.text(making, pace: ProgressPace(), width: nil)
        == "making Notes.sqlite  1,500 rows"
    )
  }

  @Test func `lines and stores are counted as rows are`() {
    let lines = ProgressSnapshot("reading the manifest", 512, of: 100_000, .lines)
    #expect(
      ProgressLine.text(lines, pace: ProgressPace(), width: nil)
        == "reading the manifest  512/100,000 lines 0%"
    )
    let unknown = ProgressSnapshot("reading the manifest", 512, of: 0, .lines)
    #expect(
      ProgressLine.text(unknown, pace: ProgressPace(), width: nil)
        == "reading the manifest  512 lines"
    )
    let stores = ProgressSnapshot("looking at stores", 5_000, of: 10_000, .stores)
    #expect(
      ProgressLine.text(stores, pace: ProgressPace(), width: nil)
        == "looking at stores  5,000/10,000 stores 50%"
    )
  }
}
