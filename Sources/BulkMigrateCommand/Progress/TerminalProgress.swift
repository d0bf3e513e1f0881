import BulkSupport
import Synchronization

/// Reports progress while a migration runs: one repainted line on a terminal, plain lines elsewhere.
final class TerminalProgress: Sendable {
  enum Style: Sendable {
    case repainted
    /// Whole lines: every 30 seconds or 5 percent, and never two within a second.
    case plain
    case none
  }

  private struct State {
    var pace = ProgressPace()
    var shown: (time: Duration, share: Double)?
    var paintedLine = ""
    var last: TaskProgress?
    var first: Duration?
    var begun = Duration.zero
  }

  private static let repaintInterval = Duration.milliseconds(100)
  private static let erasure = "\r\u{1B}[K"

  private let stream: any TextStream
  private let style: Style
  private let clock: @Sendable () -> Duration
  private let state = Mutex(State())

  /// A report that shows nothing before the first update is due.
  init(on stream: any TextStream, style: Style, clock: @escaping @Sendable () -> Duration) {
    self.stream = stream
    self.style = style
    self.clock = clock
  }

  func update(_ progress: TaskProgress) {
    let time = clock()
    state.withLock { state in
      let isOther =
        state.last.map { $0.isLong != progress.isLong || !$0.isLong && $0.name != progress.name }
        ?? false
      if isOther || state.last == nil { (state.pace, state.begun) = (ProgressPace(), time) }
      // Files have their own count.
      if progress.unit != .files {
        let (share, bytes) = (progress.shareDone, progress.bytesWritten)
        state.pace.record(progress.done, share: share, bytes: bytes, at: time)
      }
      state.last = progress
      let first = state.first ?? time
      state.first = first
      guard style != .none else { return }
      guard let shown = state.shown else {
        state.shown = (time, progress.shareDone ?? 0)
        return
      }
      // Long tasks are named when they begin.
      let isNew = isOther && style == .repainted && time - first >= Self.repaintInterval
      guard isNew || isDue(progress, after: time - shown.time, since: shown.share) else { return }
      state.shown = (time, progress.shareDone ?? 0)
      show(progress, &state, at: time)
    }
  }

  func writeLine() {
    let time = clock()
    state.withLock { state in
      erase(state)
      let line = state.last.map {
        ProgressLine.text($0, pace: state.pace, elapsed: time - state.begun, width: nil)
      }
      write((line ?? "no rows are written yet") + "\n")
      if !state.paintedLine.isEmpty { write(state.paintedLine) }
    }
  }

  func stepAside(_ narrate: () -> Void) {
    state.withLock { state in
      erase(state)
      narrate()
      if !state.paintedLine.isEmpty { write(state.paintedLine) }
    }
  }

  func finish() {
    state.withLock { state in
      erase(state)
      state.paintedLine = ""
    }
  }

  private func isDue(
    _ progress: TaskProgress,
    after elapsed: Duration,
    since share: Double
  ) -> Bool {
    switch style {
    case .repainted: return elapsed >= Self.repaintInterval
    case .plain:
      // Tasks that are not migrations leave no lines in a log unless they take long.
      guard progress.isLong else { return elapsed >= .seconds(30) }
      let isMuch = (progress.shareDone ?? 1) - share >= 0.05
      return elapsed >= .seconds(30) || elapsed >= .seconds(1) && isMuch
    case .none: return false
    }
  }

  private func show(_ progress: TaskProgress, _ state: inout State, at time: Duration) {
    let isRepainted = style == .repainted
    // The last column stays free: a terminal may wrap or erase it. The width is read each time, because
    // windows are resized.
    let width = isRepainted ? (stream.terminalWidth ?? 80) - 1 : nil
    let elapsed = time - state.begun
    let line = ProgressLine.text(progress, pace: state.pace, elapsed: elapsed, width: width)
    guard isRepainted else { return write(line + "\n") }
    state.paintedLine = line
    write(Self.erasure + line)
  }

  private func erase(_ state: borrowing State) {
    if !state.paintedLine.isEmpty { write(Self.erasure) }
  }

  /// Writes to the stream; a failure does not stop the migration.
  private func write(_ text: String) {
    _ = try? stream.write(text)
  }
}

/// The line that reports progress, a function of what is done, the rate, the time and the width.
enum ProgressLine {
  /// A part of the line; if space is short, parts of the highest rank are dropped first.
  private typealias Part = (text: String, rank: Int)

  private static let barWidth = 10

  /// The line, never wider than the width.
  ///
  /// ```text
  /// [#---------]  13%  1,234,567/9,112,138 rows  120,000 rows/s  3.1 MiB/s  212 MiB of 256 MiB  12s, ~1m 05s left  pass 1/2 rows
  /// ```
  ///
  /// - Parameters:
  ///   - progress: What is done.
  ///   - pace: Its rate.
  ///   - elapsed: The time since it began.
  ///   - width: The columns available; `nil` for no limit, in a line that is not repainted and has no bar.
  /// - Returns: The line without a line break.
  static func text(
    _ progress: TaskProgress,
    pace: ProgressPace,
    elapsed: Duration,
    width: Int?
  ) -> String {
    var parts = parts(progress, pace, elapsed)
    guard let width else { return joined(parts) }
    if let share = progress.shareDone {
      let count = min(Int(share * Double(barWidth)), barWidth)
      let bar =
        String(repeating: "#", count: count)
        + String(repeating: "-", count: barWidth - count)
      parts.insert(("[\(bar)]", 3), at: 0)
    }
    while joined(parts).displayWidth > width, parts.count > 1,
      let last = parts.indices.max(by: { parts[$0].rank < parts[$1].rank })
    {
      parts.remove(at: last)
    }
    return joined(parts).truncated(to: width)
  }

  private static func parts(
    _ progress: TaskProgress,
    _ pace: ProgressPace,
    _ elapsed: Duration
  ) -> [Part] {
    // Without an amount the name is all that there is.
    guard progress.isLong || progress.done > 0 else { return [(progress.name, 0)] }
    var parts: [Part] = []
    if let share = progress.shareDone, progress.share != nil || !progress.isUpperBound {
      parts.append((NumberText.percent(share), 1))
    }
    parts.append((amount(progress), 0))
    if progress.unit != .files, let rate = pace.rowsPerSecond {
      parts.append(("\(text(Int64(rate.rounded()), progress.unit))/s", 5))
    }
    if let rate = pace.bytesPerSecond {
      parts.append(("\(ByteCount(bytes: Int64(max(rate, 0))))/s", 6))
    }
    if let memory = progress.memory {
      parts.append((progress.memoryLimit.map { "\(memory) of \($0)" } ?? "\(memory)", 7))
    }
    if progress.isLong, elapsed >= .seconds(1) {
      let isSure = pace.isSteady && !progress.isUpperBound
      let left = pace.remaining.map { ", \(isSure ? "" : "~")\($0.short) left" } ?? ""
      parts.append(("\(elapsed.short)\(left)", 2))
    }
    return parts + [(progress.name, 4)]
  }

  private static func text(_ amount: Int64, _ unit: TaskProgress.Unit) -> String {
    unit == .bytes ? "\(ByteCount(bytes: amount))" : "\(amount.grouped) \(unit.rawValue)"
  }

  private static func amount(_ progress: TaskProgress) -> String {
    let done = text(progress.done, progress.unit)
    // Policies may make more rows than a plan can know of.
    guard progress.total > 0, progress.done <= progress.total else { return done }
    let number = progress.unit == .bytes ? done : progress.done.grouped
    let total = text(progress.total, progress.unit)
    return progress.isUpperBound ? "\(number) of at most \(total)" : "\(number)/\(total)"
  }

  private static func joined(_ parts: [Part]) -> String {
    parts.map(\.text).joined(separator: "  ")
  }
}

extension Output {
  func progress(
    clock: @escaping @Sendable () -> Duration = Platform.elapsedTime()
  ) -> TerminalProgress {
    let style: TerminalProgress.Style = isQuiet ? .none : canRepaint ? .repainted : .plain
    return TerminalProgress(on: narration, style: style, clock: clock)
  }
}
