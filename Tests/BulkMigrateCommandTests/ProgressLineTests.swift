import BulkSupport
@testable import BulkExecute
import Testing

@testable import BulkMigrateCommand

struct ProgressLineTests {
  private let progress = TaskProgress(
    name: "pass 1/2 create",
    done: 1_234_567,
    total: 9_112_138,
    memory: .mebibytes(212),
    memoryLimit: .mebibytes(256),
    isLong: true
  )

  @Test(
    arguments: [
      (
        nil,
        "13%  1,234,567/9,112,138 rows  120,000 rows/s  212 MiB of 256 MiB  3.0s, ~1m 06s left  pass 1/2 create"
      ),
      (
        120,
        "[#---------]  13%  1,234,567/9,112,138 rows  120,000 rows/s  212 MiB of 256 MiB  3.0s, ~1m 06s left  pass 1/2 create"
      ),
      (
        100,
        "[#---------]  13%  1,234,567/9,112,138 rows  120,000 rows/s  3.0s, ~1m 06s left  pass 1/2 create"
      ),
      (80, "[#---------]  13%  1,234,567/9,112,138 rows  3.0s, ~1m 06s left  pass 1/2 create"),
      (70, "[#---------]  13%  1,234,567/9,112,138 rows  3.0s, ~1m 06s left"),
      (60, "13%  1,234,567/9,112,138 rows  3.0s, ~1m 06s left"),
      (40, "13%  1,234,567/9,112,138 rows"),
      (25, "1,234,567/9,112,138 rows"),
      (12, "1,234,567/9…"),
      (0, ""),
    ] as [(Int?, String)]
  )
  func `what matters least goes first when there is little space`(width: Int?, line: String) {
    var pace = ProgressPace()
    pace.record(994_567, share: 994_567 / 9_112_138, at: .seconds(1))
    pace.record(1_234_567, share: 1_234_567 / 9_112_138, at: .seconds(3))
    #expect(
      ProgressLine.text(progress, pace: pace, elapsed: .seconds(3), width: width) == line
    )
  }

  @Test(arguments: 0...120)
  func `the line is never wider than its space`(width: Int) {
    var pace = ProgressPace()
    pace.record(0, share: 0 / 9_112_138, at: .seconds(0))
    pace.record(1_234_567, share: 1_234_567 / 9_112_138, at: .seconds(9))
    let line = ProgressLine.text(progress, pace: pace, elapsed: .seconds(9), width: width)
    #expect(line.displayWidth <= width)
  }

  @Test
  func `the share of all work stands beside the rows, which may be fewer, and may all be written`()
  {
    var progress = progress
    (progress.share, progress.memory) = (0.317, nil)
    #expect(line(progress) == "31%  1,234,567/9,112,138 rows  pass 1/2 create")
    progress.isUpperBound = true
    #expect(line(progress) == "31%  1,234,567 of at most 9,112,138 rows  pass 1/2 create")
    (progress.isUpperBound, progress.done) = (false, 9_112_138)
    #expect(line(progress) == "31%  9,112,138/9,112,138 rows  pass 1/2 create")
  }

  private func line(_ progress: TaskProgress) -> String {
    ProgressLine.text(progress, pace: ProgressPace(), elapsed: .zero, width: nil)
  }

  @Test func `a migration has the name of its pass where there are several, bytes, and files`() {
    var found = MigrationProgress(
      pass: 1,
      passName: "Books",
      passCount: 2,
      stage: .rows,
      rowsDone: 5,
      rowsTotal: 9,
      memoryLimit: .mebibytes(64)
    )
    #expect(TaskProgress(found).name == "pass 1/2 (Books) rows")
    #expect(TaskProgress(found).bytesWritten != nil)
    (found.stage, found.filesDone, found.filesTotal) = (.files, 3, 4)
    #expect(line(TaskProgress(found)) == "75%  3/4 files  pass 1/2 (Books) files")
    var pace = ProgressPace()
    for second in 0...2 {
      pace.record(0, share: nil, bytes: Int64(second) << 20, at: .seconds(second))
    }
    #expect(pace.bytesPerSecond == 1_048_576)
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
      ([0, 100, 200, 300, 400, 500], false, "83%  500/600 rows  10 rows/s  50s, 10s left"),
      ([0, 100, 200, 300, 400, 500], true, "500 of at most 600 rows  10 rows/s  50s, ~10s left"),
      ([500, 700], false, "700 rows  20 rows/s  50s"),
    ] as [([Int64], Bool, String)]
  )
  func `a steady forecast has no tilde`(rows: [Int64], isUpperBound: Bool, expected: String) {
    let progress = TaskProgress(
      name: "pass 1/1 rows",
      done: rows.last ?? 0,
      total: 600,
      isUpperBound: isUpperBound,
      isLong: true
    )
    let pace = Self.pace(rows)
    let line = ProgressLine.text(progress, pace: pace, elapsed: .seconds(50), width: nil)
    #expect(line == "\(expected)  pass 1/1 rows")
  }

  @Test(
    arguments: [
      (
        TaskProgress(name: "reading the store", unit: .bytes, done: 50 << 20, total: 200 << 20),
        "25%  50 MiB/200 MiB  reading the store"
      ), (TaskProgress(name: "counting rows", unit: .bytes, done: 0, total: 0), "counting rows"),
      (
        TaskProgress(name: "making Notes.sqlite", done: 1_500, total: 1_000),
        "1,500 rows  making Notes.sqlite"
      ),
      (
        TaskProgress(name: "reading the manifest", unit: .lines, done: 512, total: 100_000),
        "0%  512/100,000 lines  reading the manifest"
      ),
      (
        TaskProgress(name: "reading the manifest", unit: .lines, done: 512, total: 0),
        "512 lines  reading the manifest"
      ),
      (
        TaskProgress(name: "looking at stores", unit: .stores, done: 5_000, total: 10_000),
        "50%  5,000/10,000 stores  looking at stores"
      ),
    ] as [(TaskProgress, String)]
  )
  func `a task that is not a migration has a line, too`(progress: TaskProgress, text: String) {
    #expect(line(progress) == text)
  }
}
