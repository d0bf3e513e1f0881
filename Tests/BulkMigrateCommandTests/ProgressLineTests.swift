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

  @Test func `a steady forecast has no tilde`() {
    var pace = ProgressPace()
    pace.record(0, share: 0 / 600, at: .seconds(0))
    pace.record(100, share: 100 / 600, at: .seconds(10))
    pace.record(200, share: 200 / 600, at: .seconds(20))
    pace.record(300, share: 300 / 600, at: .seconds(30))
    pace.record(400, share: 400 / 600, at: .seconds(40))
    pace.record(500, share: 500 / 600, at: .seconds(50))
    let snapshot = ProgressSnapshot(
      pass: 1,
      passCount: 1,
      stage: "relate",
      rowsDone: 500,
      rowsTotal: 600
    )
    let line = ProgressLine.text(snapshot, pace: pace, width: nil)
    #expect(line == "pass 1/1 relate  500/600 rows 83%  10 rows/s  ETA 10s")
  }

  @Test func `rows beyond those of the plan have neither a part nor an end`() {
    var pace = ProgressPace()
    pace.record(500, share: 500 / 600, at: .seconds(0))
    pace.record(700, share: nil, at: .seconds(10))
    let snapshot = ProgressSnapshot(
      pass: 1,
      passCount: 1,
      stage: "rows",
      rowsDone: 700,
      rowsTotal: 600
    )
    let line = ProgressLine.text(snapshot, pace: pace, width: nil)
    #expect(line == "pass 1/1 rows  700 rows  20 rows/s")
  }

  @Test func `where there may be fewer rows there is neither a share nor a sure end`() {
    var pace = ProgressPace()
    pace.record(0, share: 0 / 600, at: .seconds(0))
    pace.record(100, share: 100 / 600, at: .seconds(10))
    pace.record(200, share: 200 / 600, at: .seconds(20))
    pace.record(300, share: 300 / 600, at: .seconds(30))
    pace.record(400, share: 400 / 600, at: .seconds(40))
    pace.record(500, share: 500 / 600, at: .seconds(50))
    let snapshot = ProgressSnapshot(
      pass: 1,
      passCount: 1,
      stage: "rows",
      rowsDone: 500,
      rowsTotal: 600,
      isUpperBound: true
    )
    let line = ProgressLine.text(snapshot, pace: pace, width: nil)
    #expect(line == "pass 1/1 rows  500 of at most 600 rows  10 rows/s  ETA ~10s")
  }
}
