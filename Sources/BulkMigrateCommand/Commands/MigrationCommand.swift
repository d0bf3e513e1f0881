internal import BulkVersions
import BulkCoding
import BulkExecute
import BulkMigrate
import BulkPlan

/// `run`, `resume` and `migrate`: the arguments of a command that carries out a migration.
struct MigrationCommand: PolicyArguments {
  enum Verb { case run, resume, migrate }

  var verb = Verb.run
  var output = OutputOptions()
  var policies = PolicyOptions()
  /// The plan; by default that of the current folder or the state directory.
  var planPath: String?
  var stateDirectory: String?
  var store = ""
  var request = PlanRequest()
  var isInPlace = false
  var onError: RejectPolicy.Action?
  var dependants: RejectPolicy.Dependants?
  var maxRejects: RejectPolicy.Limit?
  var maxMemory: ByteCount?
  var maxLoss: LossLimit?
  var maxDuration: Duration?
  var reportPath: String?
  var diesWithParent = false
  var restarts = false
  var resumesIfStarted = false

  static let usualMemory = ByteCount.mebibytes(256)

  static let commands = (
    run: command(runTable), resume: command(resumeTable), migrate: command(migrateTable)
  )

  private static func command(_ table: OptionTable<MigrationCommand>) -> Command {
    Command(table) { try MigrationRun($0, $1).carryOut() }
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

  func next(_ program: String) -> NextCommands {
    verb == .migrate
      ? NextCommands(afterMigrating: store, program: program)
      : NextCommands(planPath, stateDirectory: stateDirectory, program: program)
  }
}

extension MigrationCommand {
  static let options: [OptionRow<MigrationCommand>] =
    [
      .value("plan", \.planPath),
      .value("state-dir", \.stateDirectory),
      .value("on-error", \.onError),
      .value("max-rejects", \.maxRejects),
      .value("dependants", \.dependants),
      .flag("die-with-parent", \.diesWithParent),
      .value("max-memory", \.maxMemory),
      .value("max-loss", \.maxLoss),
      .value("max-duration", \.maxDuration),
      .value("report", \.reportPath),
    ] + PolicyOptions.rows.within(\MigrationCommand.policies)

  private static let runTable = OptionTable<MigrationCommand>(
    "run",
    results: [.record],
    options: options + [
      .flag("restart", \.restarts),
      .flag("resume-if-started", \.resumesIfStarted),
    ]
  )

  private static let resumeTable = OptionTable(
    "resume",
    results: [.record],
    defaults: MigrationCommand(verb: .resume),
    options: options.of("run")
  )

  private static let migrateTable = OptionTable(
    "migrate",
    results: [.record],
    defaults: MigrationCommand(verb: .migrate),
    options: [.flag("no-copy", \.isInPlace)]
      + ((PlanRequest.mappingOptions + PlanRequest.routeOptions).within(\MigrationCommand.request)
      + PolicyOptions.rows.within(\MigrationCommand.policies)).of("plan")
      + options.named("max-memory", "max-loss", "max-duration", "report").of("run"),
    operands: [.required("STORE", \.store)]
  )
}

extension RejectPolicy.Limit: OptionValue {
  /// Parses a limit: `all`, a number, or a share in percent.
  init(parsing text: String) throws(UsageError) {
    if text == "all" {
      self = .all
    } else if let share = Double(percentage: text) {
      self = .share(share)
    } else if let count = Int64(text.replacing(",", with: "")), count >= 0 {
      self = .count(count)
    } else {
      throw UsageError(text, among: ["a number", "a share as 1%", "all"])
    }
  }
}

struct RollbackCommand: ParsableCommand {
  var output = OutputOptions()
  var store = ""

  static let table = OptionTable<RollbackCommand>(
    "rollback",
    results: [.record],
    operands: [.required("STORE", \.store)]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    do {
      let migration = StoreMigration(inPlace: store, PlanRequest(), MigrationSettings())
      let undone = try migration.rollBack()
      var record = MigrationRecord(.rollback)
      (record.state, record.outcome, record.exitCode) = (.done, .done, ExitCode.done.rawValue)
      (record.store, record.undone) = (store, undone)
      return try context.output.show(
        record,
        as: .record,
        ["\(store) is what it was; the migrated store is \(undone)"]
      )
    } catch let error as MigrationError {
      let next = NextCommands(afterMigrating: store, program: context.program)
      throw AdvisedError(error: error, next: next)
    }
  }
}
