import BulkMigrate

/// Carries out a plan for the command line, from its beginning or from a checkpoint.
struct MigrationRun {
  private let arguments: RunArguments
  private let context: CommandContext

  init(_ arguments: RunArguments, _ context: CommandContext) {
    self.arguments = arguments
    self.context = context
  }

  /// Reads the plan, does a body's work with it, and reports.
  func run(_ work: (Migration) throws -> MigrationOutcome) throws -> ExitCode {
    let plan = try MigrationPlan(contentsOf: arguments.planPath)
    let interruption = Interruption.watch()
    let progress = context.output.progress()
    let elapsed = Platform.elapsedTime()
    var migration = Migration(plan)
    migration.memoryLimit = arguments.maxMemory
    migration.policies = context.policies
    migration.restarts = arguments.restarts
    migration.isCancelled = { interruption.signal != nil }
    migration.report = { progress.update(ProgressSnapshot($0)) }
    context.output.note("memory limit \(arguments.maxMemory) (\(arguments.maxMemory.bytes) bytes)")
    do {
      let outcome = try work(migration)
      progress.finish()
      try report(outcome, after: elapsed())
      return .done
    } catch MigrationError.cancelled {
      progress.finish()
      _ = context.output.report(MigrationError.cancelled)
      return interruption.exitCode
    } catch {
      progress.finish()
      throw error
    }
  }

  private func report(
    _ outcome: MigrationOutcome,
    after time: Duration
  ) throws {
    for (relationship, count) in outcome.losses.sorted(by: { $0.key < $1.key }) {
      context.output.warning(
        "\(NumberText.grouped(count)) \(count == 1 ? "object fell" : "objects fell") out of "
          + "relationship \(relationship), not being migrated"
      )
    }
    if arguments.output.isJSON {
      try context.output.json(RunReport(outcome, seconds: time / .seconds(1)))
      return
    }
    guard let destination = outcome.destination else {
      try context.output.result("the store fits the model already: nothing was done")
      return
    }
    let peak = outcome.peakMemory.map { ", peak memory \($0)" } ?? ""
    try context.output.result(
      "\(destination): \(NumberText.grouped(outcome.rows)) rows, \(outcome.size), "
        + "in \(NumberText.short(time))\(peak)"
    )
  }
}
