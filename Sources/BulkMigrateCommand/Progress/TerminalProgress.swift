import BulkCoding
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
    var last: ProgressSnapshot?
    /// When the first update came.
    var begun: Duration?
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

  /// Adds a snapshot, as after each page; most of them are not shown.
  func update(_ snapshot: ProgressSnapshot) {
    let time = clock()
    state.withLock { state in
      let isOtherTask = state.last.map { $0.task != snapshot.task } ?? false
      if isOtherTask { state.pace = ProgressPace() }
      state.pace.record(snapshot.rowsDone, share: snapshot.shareDone, at: time)
      state.last = snapshot
      let begun = state.begun ?? time
      state.begun = begun
      guard style != .none else { return }
      guard let shown = state.shown else {
        state.shown = (time, snapshot.shareDone ?? 0)
        return
      }
      let elapsed = time - shown.time
      // Long tasks are named when they begin.
      let isNew = isOtherTask && style == .repainted && time - begun >= Self.repaintInterval
      guard isNew || isDue(snapshot, after: elapsed, since: shown.share) else { return }
      state.shown = (time, snapshot.shareDone ?? 0)
      show(snapshot, &state)
    }
  }

  /// Writes a line about the last snapshot, in every style, on request.
  func writeLine() {
    state.withLock { state in
      erase(state)
      let line = state.last.map { ProgressLine.text($0, pace: state.pace, width: nil) }
      write((line ?? "no rows are written yet") + "\n")
      if !state.paintedLine.isEmpty { write(state.paintedLine) }
    }
  }

  /// Lets other code write to the stream, with the line erased.
  func stepAside(_ narrate: () -> Void) {
    state.withLock { state in
      erase(state)
      narrate()
      if !state.paintedLine.isEmpty { write(state.paintedLine) }
    }
  }

  /// Erases the line; the command's result reports the outcome.
  func finish() {
    state.withLock { state in
      erase(state)
      state.paintedLine = ""
    }
  }

  private func isDue(
    _ snapshot: ProgressSnapshot,
    after elapsed: Duration,
    since share: Double
  ) -> Bool {
    switch style {
    case .repainted: return elapsed >= Self.repaintInterval
    case .plain:
      // Tasks that are not migrations leave no lines in a log unless they take long.
      guard snapshot.task == nil else { return elapsed >= .seconds(30) }
      let isMuch = (snapshot.shareDone ?? 1) - share >= 0.05
      return elapsed >= .seconds(30) || elapsed >= .seconds(1) && isMuch
    case .none: return false
    }
  }

  private func show(_ snapshot: ProgressSnapshot, _ state: inout State) {
    let isRepainted = style == .repainted
    // The last column stays free: a terminal may wrap or erase it. The width is read each time, because
    // windows are resized.
    let width = isRepainted ? (stream.terminalWidth ?? 80) - 1 : nil
    let line = ProgressLine.text(snapshot, pace: state.pace, width: width)
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

/// The line that reports progress, a function of the snapshot, the rate and the width.
enum ProgressLine {
  /// A part of the line; if space is short, parts of the highest rank are dropped first.
  private typealias Part = (text: String, rank: Int)

  /// The line, never wider than the width.
  ///
  /// ```text
  /// pass 1/2 rows  1,234,567/9,112,138 rows  11% done  120,000 rows/s  212 MiB of 256 MiB  ETA ~1m 05s
  /// ```
  ///
  /// - Parameters:
  ///   - snapshot: The progress of the migration.
  ///   - pace: Its rate.
  ///   - width: The columns available; `nil` for no limit.
  /// - Returns: The line without a line break.
  static func text(
    _ snapshot: ProgressSnapshot,
    pace: ProgressPace,
    width: Int?
  ) -> String {
    var parts = parts(snapshot, pace)
    guard let width else { return joined(parts) }
    while joined(parts).displayWidth > width, parts.count > 1,
      let last = parts.indices.max(by: { parts[$0].rank < parts[$1].rank })
    {
      parts.remove(at: last)
    }
    return joined(parts).truncated(to: width)
  }

  private static func parts(
    _ snapshot: ProgressSnapshot,
    _ pace: ProgressPace
  ) -> [Part] {
    let step = snapshot.stepCount > 1 ? "step \(snapshot.step)/\(snapshot.stepCount) " : ""
    let name = snapshot.passName.map { " (\($0))" } ?? ""
    let pass = "\(step)pass \(snapshot.pass)/\(snapshot.passCount)\(name) \(snapshot.stage)"
    var parts: [Part] = [(snapshot.task ?? pass, 2)]
    guard snapshot.task == nil || snapshot.rowsDone > 0 else { return parts }
    parts.append((amount(snapshot), 0))
    if let share = snapshot.share { parts.append(("\(NumberText.percent(share)) done", 0)) }
    if snapshot.files == nil, let rate = pace.rowsPerSecond {
      parts.append(("\(text(rate, snapshot.unit))/s", 3))
    }
    if let memory = snapshot.memory {
      parts.append((snapshot.memoryLimit.map { "\(memory) of \($0)" } ?? "\(memory)", 4))
    }
    if let remaining = pace.remaining {
      let isSure = pace.isSteady && !snapshot.isUpperBound
      parts.append(("ETA \(isSure ? "" : "~")\(remaining.short)", 1))
    }
    return parts
  }

  private static func text(_ amount: Double, _ unit: ProgressSnapshot.Unit) -> String {
    switch unit {
    case .rows: "\(Int64(amount.rounded()).grouped) rows"
    case .lines: "\(Int64(amount.rounded()).grouped) lines"
    case .stores: "\(Int64(amount.rounded()).grouped) stores"
    case .bytes: "\(ByteCount(bytes: Int64(amount)))"
    }
  }

  private static func amount(_ snapshot: ProgressSnapshot) -> String {
    if let files = snapshot.files { return "\(files.done.grouped)/\(files.total.grouped) files" }
    let (done, unit) = (text(Double(snapshot.rowsDone), snapshot.unit), snapshot.unit)
    // Policies may make more rows than a plan can know of.
    guard snapshot.rowsDone <= snapshot.rowsTotal else { return done }
    let total = text(Double(snapshot.rowsTotal), unit)
    let number = unit == .bytes ? done : snapshot.rowsDone.grouped
    guard !snapshot.isUpperBound else { return "\(number) of at most \(total)" }
    guard snapshot.share == nil else { return "\(number)/\(total)" }
    return "\(number)/\(total) \(NumberText.percent(snapshot.rowsDone, of: snapshot.rowsTotal))"
  }

  private static func joined(_ parts: [Part]) -> String {
    parts.map(\.text).joined(separator: "  ")
  }
}

extension Output {
  /// A progress report on standard error, in the style for the stream and the options.
  func progress(
    clock: @escaping @Sendable () -> Duration = Platform.elapsedTime()
  ) -> TerminalProgress {
    let style: TerminalProgress.Style = isQuiet ? .none : canRepaint ? .repainted : .plain
    return TerminalProgress(on: narration, style: style, clock: clock)
  }
}
