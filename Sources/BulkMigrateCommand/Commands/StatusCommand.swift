import BulkSupport
import BulkExecute
import BulkFleet
import BulkPlan

extension Arguments {
  func status(_ context: CommandContext) throws -> ExitCode {
    // A migration that ends removes its folder while it is watched.
    let selection = try selection()
    if watches { watch(selection, context.output) }
    guard !selection.location.isClosed else {
      throw Refusal(
        .noInput,
        "\(selection.location.path) cannot be read by this user, so nothing is known of the migration; ask as the user who "
          + "began it"
      )
    }
    let status = selection.status
    let text = StatusText(
      status: status,
      commands: selection.next(context.program, after: status),
      isInPlace: selection.store != nil
    )
    return try context.output.show(status, as: .record, text.lines)
  }
}

struct StatusText {
  let status: MigrationRecord
  let commands: NextCommands
  let isInPlace: Bool

  var lines: [String] {
    [
      "state        \(state)",
      status.plan.map { "source       \($0.source.store)" },
      isInPlace ? nil : status.plan.map { "destination  \($0.destination.store)" },
      rows.map { "rows         \($0)" },
    ].compactMap(\.self) + passes
      + [
        status.rejectFolderPath.map {
          "left out     \(status.rejected.grouped), see \($0)"
        }, status.verification.map { "verified     \($0.sentence)" },
        status.violations.map { "violations   \($0)" },
        owner,
        status.isKept ? "kept in      \(status.stateDirectory ?? "")\(size)" : nil,
        next.map { "next         \($0)" },
      ].compactMap(\.self)
  }

  private var passes: [String] {
    status.passes.map { use in
      "  \(use.line(of: status.passCount))\(use.isDone ? "" : ", not done")"
    }
  }

  private var state: String {
    switch status.state {
    case .none where status.violations != nil:
      "failed: objects break rules of the model, or cannot be computed; no destination was made"
    case .none: "no migration is under way"
    case .running: (status.isFinished ? "running, about to be published" : "running") + requests
    case .interrupted: status.isFinished ? "interrupted, whole but unpublished" : "interrupted"
    case .abandoned:
      status.isDamaged
        ? "interrupted, and no checkpoint can be used; it starts over"
        : "interrupted before its first checkpoint; it starts over"
    case .done: "done"
    }
  }

  private var requests: String {
    (status.control?.phrases ?? []).map { ", \($0)" }.joined()
  }

  private var rows: String? {
    guard let done = status.rowsWritten ?? status.rowsKept else { return nil }
    guard let total = status.rowsTotal, done <= total else { return "\(done.grouped) written" }
    let most = status.isUpperBound ? "at most " : ""
    let part =
      status.share.map { ", \(NumberText.percent($0)) done" }
      ?? (status.isUpperBound ? "" : ", \(NumberText.percent(done, of: total))")
    let kept =
      done == status.rowsKept
      ? "by checkpoint \(status.checkpoint ?? 0)"
      : status.checkpoint.map { "\((status.rowsKept ?? 0).grouped) by checkpoint \($0)" }
        ?? "no checkpoint yet"
    return "\(done.grouped) of \(most)\(total.grouped) written\(part), \(kept)"
  }

  private var owner: String? {
    guard let owner = status.owner else { return nil }
    let memory = ByteCount(bytes: owner.memoryLimit)
    return (status.state == .running ? "process      " : "last process ")
      + "\(owner.process) on \(owner.host), begun \(owner.since), memory limit \(memory)"
  }

  private var size: String {
    status.stateBytes.map { $0 > 0 ? " (\(ByteCount(bytes: $0)))" : "" } ?? ""
  }

  private var limit: String { isInPlace ? "" : status.plan?.limitOption ?? "" }

  private var next: String? {
    switch status.state {
    case .interrupted where status.plan?.source.seemsChanged == true:
      "\(commands.resume); if the source has other contents now, a new plan, and \(commands.restart)"
    case .interrupted: commands.resume
    case .none where status.violations != nil && !isInPlace:
      "\(commands.run) --on-error quarantine, which leaves these objects out"
    case .none: commands.run + limit
    case .abandoned: (status.isDamaged ? commands.restart : commands.run) + limit
    case .running, .done: nil
    }
  }
}

extension Arguments {
  /// Prints a line a second while a process works on a migration.
  private func watch(_ selection: MigrationSelection, _ output: Output) {
    let time = Platform.elapsedTime()
    var pace = ProgressPace()
    while true {
      let record = selection.status
      guard record.state == .running, !output.isUnread else { return }
      let progress = TaskProgress(record)
      pace.record(progress.done, share: progress.shareDone, at: time())
      let now = SystemHost.current.now().timeIntervalSinceReferenceDate
      let elapsed = Duration.seconds(max(record.attempts.last.map { now - $0.began } ?? 0, 0))
      let line = ProgressLine.text(progress, pace: pace, elapsed: elapsed, width: nil)
      output.note("\(line)  \(record.lastCheckpoint(at: now))")
      Failpoint.reached(.watched)
      SystemThread.pause(.seconds(1))
    }
  }
}

extension MigrationRecord {
  fileprivate func lastCheckpoint(at now: Double) -> String {
    guard let number = checkpoint else { return "no checkpoint yet" }
    guard let measures, let attempt = measures.attempts.last else { return "checkpoint \(number)" }
    let age = max(now - (attempt.began + measures.seconds - attempt.from), 0)
    // The time that an index over many rows may take, in seconds.
    let patience = 60.0
    let isStalled = age > patience && number > 0 && age > 20 * measures.seconds / Double(number)
    return "checkpoint \(number), \(Duration.seconds(age).short) ago"
      + (isStalled ? ": no progress since" : "")
  }
}

/// `bulkmigrate control`: requests to a running migration, or to all workers of a running fleet.
extension Arguments {
  func control(_ context: CommandContext) throws -> ExitCode {
    guard isPaused != nil || rate != nil else {
      throw UsageError("pass --pause, --resume or --rate RATE")
    }
    if let path = results.first {
      let file = FleetControlFile(path)
      let control = changed(file.control)
      try file.send(control)
      return try show(ControlReport(of: path, control: control), context)
    }
    let selection = try selection()
    do {
      let control = changed(try RunControl(of: selection.location))
      try control.send(to: selection.location)
      return try show(ControlReport(of: selection.location.path, control: control), context)
    } catch let error as MigrationError {
      try Refusal.refuseDone(error, selection.location, selection.plan)
      throw Refusal(error, selection.next(context.program))
    }
  }

  private func changed(_ control: RunControl) -> RunControl {
    var control = control
    if let isPaused { control.isPaused = isPaused }
    if let rate { control.bytesPerSecond = rate.bytesPerSecond?.bytes }
    return control
  }

  private func show(_ report: ControlReport, _ context: CommandContext) throws -> ExitCode {
    try context.output.show(report, as: .controlReport, [report.line])
  }
}

/// The requests to a running migration or fleet, the output of `control --json`,
/// `Plans/schemas/control-report.schema.json`.
struct ControlReport: Encodable {
  let of: String
  let paused: Bool
  let bytesPerSecond: Int64?
  let line: String

  private enum CodingKeys: CodingKey { case of, paused, bytesPerSecond }

  init(of path: String, control: RunControl) {
    (of, paused, bytesPerSecond) = (path, control.isPaused, control.bytesPerSecond)
    line = "\(path): \(control.text)"
  }
}

extension RunControl {
  var text: String {
    let rate = bytesPerSecond.map { "writes at most \(ByteCount(bytes: $0)) a second" }
    return [isPaused ? "paused until control --resume" : "runs", rate].compactMap(\.self)
      .joined(separator: "; ")
  }
}
