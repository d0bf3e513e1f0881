import Synchronization
import Testing

@testable import BulkMigrateCommand

struct TerminalProgressTests {
  private let terminal = RecordingStream(terminalWidth: 40)
  private let time = TestTime()

  @Test func `a terminal's line is painted over itself, ten times a second at most`() {
    let progress = progress(.repainted)
    update(progress, [(0, 0), (10, 50), (20, 100), (30, 150), (40, 200)])
    #expect(
      terminal.pieces == [
        "\r\u{1B}[K[##--------]  20%  20/100 rows",
        "\r\u{1B}[K[####------]  40%  40/100 rows",
      ]
    )
  }

  @Test func `the line steps aside for other words, comes back, and is taken away at the end`() {
    let progress = progress(.repainted)
    update(progress, [(0, 0), (20, 100)])
    let line = "[##--------]  20%  20/100 rows"
    progress.stepAside { try? terminal.write("a note\n") }
    progress.finish()
    progress.finish()
    #expect(terminal.pieces.dropFirst() == ["\r\u{1B}[K", "a note\n", line, "\r\u{1B}[K"])
  }

  @Test func `the line follows the width of the terminal`() {
    let narrow = RecordingStream(terminalWidth: 20)
    let progress = TerminalProgress(on: narrow, style: .repainted, clock: time.elapsed)
    update(progress, [(0, 0), (20, 100)])
    #expect(narrow.pieces == ["\r\u{1B}[K20%  20/100 rows"])
  }

  @Test func `plain lines come every 5 percent, but not twice within a second`() {
    let progress = progress(.plain)
    update(progress, [(0, 0), (50, 999), (51, 1_000), (55, 2_000), (56, 3_000)])
    #expect(
      terminal.pieces == [
        "51%  51/100 rows  51 rows/s  1.0s  pass 1/1 create\n",
        "56%  56/100 rows  19 rows/s  3.0s, ~2.4s left  pass 1/1 create\n",
      ]
    )
  }

  @Test func `plain lines come every 30 seconds when little happens`() {
    let progress = progress(.plain)
    update(progress, [(0, 0), (1, 29_999), (1, 30_000), (2, 59_999), (2, 60_000)])
    #expect(terminal.pieces.count == 2)
  }

  @Test(
    arguments: [
      (.plain, [0, 29_000, 30_000, 31_000], "searching\n"),
      (.repainted, [0, 50, 120], "\r\u{1B}[Ksearching"),
    ] as [(TerminalProgress.Style, [Int], String)]
  )
  func `a task that is not a migration is named as it begins, in plain lines every 30 seconds only`(
    style: TerminalProgress.Style,
    moments: [Int],
    text: String
  ) {
    let progress = progress(style)
    for (task, moment) in zip(["reading", "counting", "searching", "ending"], moments) {
      time.set(.milliseconds(moment))
      progress.update(TaskProgress(name: task, done: 0, total: 0))
    }
    #expect(terminal.pieces == [text])
  }

  @Test(
    arguments: [
      (
        80, ["TERM": "xterm"], OutputOptions(),
        "\r\u{1B}[K[#####-----]  50%  50/100 rows  0 rows/s  40s  pass 1/1 create"
      ),
      (80, ["TERM": "dumb"], OutputOptions(), "50%  50/100 rows  0 rows/s  40s  pass 1/1 create\n"),
      (
        nil, ["TERM": "xterm"], OutputOptions(),
        "50%  50/100 rows  0 rows/s  40s  pass 1/1 create\n"
      ),
      (80, ["TERM": "xterm"], OutputOptions(isQuiet: true), ""),
    ] as [(Int?, [String: String], OutputOptions, String)]
  )
  func `the style suits the stream, the environment and the options`(
    terminalWidth: Int?,
    environment: [String: String],
    options: OutputOptions,
    text: String
  ) {
    let narration = RecordingStream(terminalWidth: terminalWidth)
    let output = Output(
      results: RecordingStream(),
      narration: narration,
      environment: environment,
      options: options
    )
    let progress = output.progress(clock: time.elapsed)
    update(progress, [(50, 0), (50, 40_000)])
    #expect(narration.text == text)
  }

  private func progress(_ style: TerminalProgress.Style) -> TerminalProgress {
    TerminalProgress(on: terminal, style: style, clock: time.elapsed)
  }

  /// Reports rows, of a hundred, that are finished at some milliseconds.
  private func update(_ progress: TerminalProgress, _ moments: [(rows: Int64, at: Int)]) {
    for moment in moments {
      time.set(.milliseconds(moment.at))
      progress.update(
        TaskProgress(name: "pass 1/1 create", done: moment.rows, total: 100, isLong: true)
      )
    }
  }
}

/// A time that goes on only when it is told to.
private final class TestTime: Sendable {
  private let now = Mutex(Duration.zero)

  var elapsed: @Sendable () -> Duration { { self.now.withLock { $0 } } }

  func set(_ time: Duration) {
    now.withLock { $0 = time }
  }
}
