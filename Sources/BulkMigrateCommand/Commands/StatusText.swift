import BulkPlan
import BulkCoding
import BulkExecute

/// The state of a migration as people read it.
struct StatusText {
  private let status: MigrationStatus
  private let commands: NextCommands

  /// The state, and with what commands to go on.
  init(_ status: MigrationStatus, _ commands: NextCommands) {
    self.status = status
    self.commands = commands
  }

  /// The lines.
  var lines: [String] {
    [
      "state        \(state)",
      status.plan.map { "source       \($0.source.store)" },
      status.plan.map { "destination  \($0.destination.store)" },
      rows.map { "rows         \($0)" },
      owner.map { "process      \($0)" },
      status.isKept ? "kept in      \(status.stateDirectory)\(size)" : nil,
      next.map { "next         \($0)" },
    ].compactMap(\.self)
  }

  private var state: String {
    switch status.state {
    case .none: "no migration is under way"
    case .running: status.isFinished ? "running, about to be published" : "running"
    case .interrupted: status.isFinished ? "interrupted, whole but unpublished" : "interrupted"
    case .abandoned: "interrupted before its first checkpoint; it begins anew"
    case .done: "done"
    }
  }

  private var rows: String? {
    guard let done = status.rowsDone else { return nil }
    guard let total = status.rowsTotal, done <= total else {
      return "\(NumberText.grouped(done)) written"
    }
    let share =
      status.isUpperBound
      ? "at most \(NumberText.grouped(total)) written"
      : "\(NumberText.grouped(total)) written, \(NumberText.percent(done, of: total))"
    return "\(NumberText.grouped(done)) of \(share), by checkpoint \(status.checkpoint ?? 0)"
  }

  private var owner: String? {
    guard let owner = status.owner else { return nil }
    let memory = ByteCount(bytes: owner.memoryLimit)
    return "\(owner.process) on \(owner.host), begun \(owner.since), memory limit \(memory)"
  }

  private var size: String {
    status.size > .zero ? " (\(status.size))" : ""
  }

  private var next: String? {
    switch status.state {
    case .interrupted: commands.resume
    case .none, .abandoned: commands.run
    case .running, .done: nil
    }
  }
}
