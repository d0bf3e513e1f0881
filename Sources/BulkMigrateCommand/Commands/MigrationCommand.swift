internal import BulkPlan
import BulkSupport
import BulkExecute
import BulkMigrate

extension Arguments {
  /// `run`, `resume` and `migrate`.
  func migrate(_ context: CommandContext) throws -> ExitCode {
    try MigrationRun(self, context).carryOut()
  }

  var start: Migration.Start {
    switch verb {
    case .run: restarts ? .restart : resumesIfStarted ? .resumeOrBegin : .begin
    case .resume: .resume
    case .migrate: .resumeOrBegin
    }
  }

  func limits(after former: RunLimits? = nil) -> (losses: LossLimit, rejects: RejectPolicy) {
    let known = former?.rejects ?? RejectPolicy()
    let rejects = RejectPolicy(
      onError ?? known.action,
      dependants: dependants ?? known.dependants,
      limit: maxRejects ?? known.limit
    )
    return (maxLoss ?? former?.losses ?? .usual, rejects)
  }

  /// The settings of work within a memory limit, by a process that held so much when its command began.
  func settings(
    _ context: CommandContext,
    _ memoryLimit: ByteCount,
    _ base: ByteCount?
  ) -> MigrationSettings {
    var settings = MigrationSettings()
    (settings.memoryLimit, settings.baseMemory) = (memoryLimit, base)
    settings.policies = context.policies
    settings.lockWait = lockWait ?? settings.lockWait
    settings.threads = threads ?? settings.threads
    return settings
  }
}

extension PlanRequest {
  func knowing(_ context: CommandContext) -> PlanRequest {
    var request = self
    request.knowsPolicy = context.knowsPolicy
    request.knowsTransformer = context.knowsTransformer
    return request
  }
}

extension RejectPolicy.Limit: OptionValue {
  /// Parses a limit: `all`, a number, or a share in percent.
  init(parsing text: String) throws(UsageError) {
    if text == "all" {
      self = .all
    } else if let share = Double(percentage: text) {
      self = .share(share)
    } else if let count = Int64(count: text) {
      self = .count(count)
    } else {
      throw UsageError(text, among: ["a number", "a share as 1%", "all"])
    }
  }
}

extension Arguments {
  func rollBack(_ context: CommandContext) throws -> ExitCode {
    do {
      let migration = StoreMigration(inPlace: store, PlanRequest(), MigrationSettings())
      let undone = try migration.rollBack()
      var record = MigrationRecord(.rollback)
      (record.state, record.outcome, record.exitCode) = (.done, .done, ExitCode.done.rawValue)
      (record.store, record.undone) = (store, undone)
      return try context.output.show(
        record,
        as: .record,
        ["\(store) is restored; the migrated store is \(undone)"]
      )
    } catch let error as MigrationError {
      throw Refusal(error, NextCommands(afterMigrating: store, program: context.program))
    }
  }
}
