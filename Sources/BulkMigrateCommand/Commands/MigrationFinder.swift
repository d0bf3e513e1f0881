import BulkExecute
import BulkPlan
import BulkVersions
import BulkPlatform

/// Finds the migration that a command watches or steers: one of `run` and `resume`, or one of `migrate`.
struct MigrationFinder: Sendable {
  struct Place {
    let location: StateLocation
    /// The plan, where one was found first.
    let plan: MigrationPlan?
    /// The store that is migrated in its place; `nil` where another one is made.
    let store: String?

    var status: MigrationStatus { MigrationStatus(location, of: plan) }

    /// The commands to type after an error, or to continue.
    func next(_ program: String) -> NextCommands {
      var next = NextCommands(program: program)
      if let store {
        next.run = "\(program) migrate \(ShellWord.quoted(store)) with its options"
        next.resume = next.run
      }
      return next
    }
  }

  var planPath: String?
  var stateDirectory: String?
  /// The store that `migrate` brings to another version.
  var store: String?

  static let options: [OptionRow<MigrationFinder>] = [
    .value("plan", "FILE", "The plan of the migration.") { $0.planPath = $1 },
    .value("state-dir", "DIR", "The state directory of the migration.") { $0.stateDirectory = $1 },
    .value("store", "STORE", "The store that migrate works on, in its place.") { $0.store = $1 },
  ]

  /// The options that name the migration, as typed.
  var typed: String {
    [("plan", planPath), ("state-dir", stateDirectory), ("store", store)]
      .compactMap { name, value in value.map { " --\(name) \(ShellWord.quoted($0))" } }.joined()
  }

  /// The migration that is named, or that of the current folder.
  func place() throws -> Place {
    if let store {
      guard planPath == nil, stateDirectory == nil else {
        throw UsageError("--store names a migration without a plan and a folder")
      }
      return Place(location: InPlaceMigration.stateLocation(of: store), plan: nil, store: store)
    }
    if let stateDirectory {
      try PlanFinder.refuseMissing(stateDirectory)
      return try place(in: StateLocation(stateDirectory: stateDirectory))
    }
    let plan = try PlanFinder(planPath: planPath).planBegun()
    let location = StateLocation(destination: plan.destination.store, stateDirectory: nil)
    return inPlace(plan) ?? Place(location: location, plan: plan, store: nil)
  }

  private func place(in location: StateLocation) throws -> Place {
    if location.isOfThisUser, let kept = try? MigrationPlan(contentsOf: location.planPath),
      let place = inPlace(kept)
    {
      return place
    }
    let plan = try planPath.map { path throws(PlanError) in
      try MigrationPlan(contentsOf: path)
    }
    return Place(location: location, plan: plan, store: nil)
  }

  private func inPlace(_ plan: MigrationPlan) -> Place? {
    guard InPlaceMigration.made(plan) else { return nil }
    let store = plan.source.store
    return Place(location: InPlaceMigration.stateLocation(of: store), plan: nil, store: store)
  }
}

/// Finds the plan for a command when none is named.
struct PlanFinder {
  var planPath: String?
  var stateDirectory: String?

  /// The plan to run: the named one, or that of the current folder.
  func planToRun() throws -> MigrationPlan {
    try MigrationPlan(contentsOf: planPath ?? PlanCommand.defaultPlanPath)
  }

  /// The plan of a migration that has begun: the named one, that of the state directory, that of the current
  /// folder, or that of the only state directory in it.
  func planBegun() throws -> MigrationPlan {
    if let planPath { return try MigrationPlan(contentsOf: planPath) }
    if let stateDirectory { try Self.refuseMissing(stateDirectory) }
    let usual = PlanCommand.defaultPlanPath
    let copy = stateDirectory.map { StateLocation(stateDirectory: $0).planPath }
    let found = [copy, usual].compactMap(\.self)
      .first(where: FileManager.default.fileExists(atPath:))
    return try MigrationPlan(contentsOf: found ?? onlyPlanHere() ?? usual)
  }

  static func refuseMissing(_ stateDirectory: String) throws(Refusal) {
    guard !FileManager.default.fileExists(atPath: stateDirectory) else { return }
    throw Refusal(
      .noInput,
      "\(stateDirectory): no such folder; a migration removes its own when it is done"
    )
  }

  /// A plan that is an operand, which no option names.
  static func named(_ path: String) throws -> MigrationPlan {
    guard FileManager.default.fileExists(atPath: path) else {
      throw Refusal(.noInput, "\(path): no such file")
    }
    return try MigrationPlan(contentsOf: path)
  }

  private func onlyPlanHere() -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
    let plans = names.filter { $0.hasSuffix(".bulkmigrate") }
      .map { StateLocation(stateDirectory: $0) }
      // Another user's plan may name any files.
      .filter(\.isOfThisUser).map(\.planPath)
      .filter { FileManager.default.fileExists(atPath: $0) }
    return plans.count == 1 ? plans[0] : nil
  }
}
