import BulkCoding
import Testing

@testable import BulkMigrateCommand

@Suite("The line of progress")
struct ProgressLineTests {
  private let snapshot = ProgressSnapshot(
    pass: 1,
    passCount: 2,
    stage: "create",
    rowsDone: 1_234_567,
    rowsTotal: 9_112_138,
    memory: .mebibytes(212),
    memoryLimit: .mebibytes(256)
  )

  @Test(
    arguments: [
      (
        nil,
        "pass 1/2 create  1,234,567/9,112,138 rows 13%  120,000 rows/s  212 MiB of 256 MiB  ETA ~1m 06s"
      ),
      (80, "pass 1/2 create  1,234,567/9,112,138 rows 13%  120,000 rows/s  ETA ~1m 06s"),
      (70, "pass 1/2 create  1,234,567/9,112,138 rows 13%  ETA ~1m 06s"),
      (50, "1,234,567/9,112,138 rows 13%  ETA ~1m 06s"),
      (30, "1,234,567/9,112,138 rows 13%"),
      (12, "1,234,567/9…"),
      (0, ""),
    ] as [(Int?, String)]
  )
  func `what matters least goes first when there is little room`(width: Int?, line: String) {
    var pace = ProgressPace()
    pace.record(994_567, share: 994_567 / 9_112_138, at: .seconds(1))
    pace.record(1_234_567, share: 1_234_567 / 9_112_138, at: .seconds(3))
    #expect(ProgressLine.text(snapshot, pace: pace, width: width) == line)
  }

  @Test(arguments: 0...120)
  func `the line is never wider than the room`(width: Int) {
    var pace = ProgressPace()
    pace.record(0, share: 0 / 9_112_138, at: .seconds(0))
    pace.record(1_234_567, share: 1_234_567 / 9_112_138, at: .seconds(9))
    #expect(ProgressLine.text(snapshot, pace: pace, width: width).displayWidth <= width)
  }

  @Test
  func `the share of all work stands beside the rows, which may be fewer, and may all be written`()
  {
    var snapshot = snapshot
    snapshot.share = 0.317
    let rows = "pass 1/2 create  1,234,567/9,112,138 rows  31% done"
    #expect(ProgressLine.text(snapshot, pace: ProgressPace(), width: 51) == rows)
    snapshot.isUpperBound = true
    let most = "pass 1/2 create  1,234,567 of at most 9,112,138 rows  31% done"
    #expect(ProgressLine.text(snapshot, pace: ProgressPace(), width: 62) == most)
    snapshot.isUpperBound = false
    snapshot.rowsDone = 9_112_138
    let all = "pass 1/2 create  9,112,138/9,112,138 rows  31% done"
    #expect(ProgressLine.text(snapshot, pace: ProgressPace(), width: 51) == all)
  }

  @Test func `a pass has its name where there are several`() {
    var snapshot = snapshot
    snapshot.passName = "Books"
    let line = ProgressLine.text(snapshot, pace: ProgressPace(), width: nil)
    #expect(line.hasPrefix("pass 1/2 (Books) create  1,234,567/9,112,138 rows"))
  }

  /// A pace of 500 of 600 rows, by a hundred in ten seconds or by their last two observations.
  private static func pace(_ rows: [Int64]) -> ProgressPace {
    var pace = ProgressPace()
    for (index, count) in rows.enumerated() {
      pace.record(
        count,
        share: count > 600 ? nil : Double(count) / 600,
        at: .seconds(10 * index)
      )
    }
    return pace
  }

  /// Rows beyond those of the plan have neither a part nor an end, and those of an upper bound no sure end.
  @Test(
    arguments: [
      ([0, 100, 200, 300, 400, 500], false, "500/600 rows 83%  10 rows/s  ETA 10s"),
      ([0, 100, 200, 300, 400, 500], true, "500 of at most 600 rows  10 rows/s  ETA ~10s"),
      ([500, 700], false, "700 rows  20 rows/s"),
    ] as [([Int64], Bool, String)]
  )
  func `a steady forecast has no tilde`(rows: [Int64], isUpperBound: Bool, expected: String) {
    let snapshot = ProgressSnapshot(
      pass: 1,
      passCount: 1,
      stage: "rows",
      rowsDone: rows.last ?? 0,
      rowsTotal: 600,
      isUpperBound: isUpperBound
    )
    let line = ProgressLine.text(snapshot, pace: Self.pace(rows), width: nil)
    #expect(line == "pass 1/1 rows  \(expected)")
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
