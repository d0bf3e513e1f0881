import BulkExecute
import BulkPlan
import BulkSupport

/// A migration that a command watches or steers: one of `run` and `resume`, or one of `migrate`.
struct MigrationSelection {
  let location: StateLocation
  let plan: MigrationPlan?
  /// The store that is migrated in its place; `nil` where another one is made.
  let store: String?
  /// The plan or the state directory as it was named, to find the migration again.
  var planPath: String?
  var stateDirectory: String?

  var status: MigrationRecord { MigrationRecord(location, of: plan) }

  /// The commands to type after an error, or to continue a migration of a status.
  func next(_ program: String, after status: MigrationRecord? = nil) -> NextCommands {
    guard let store else {
      let kept =
        status?.state == .interrupted && planPath == nil ? status?.stateDirectory : nil
      return status == nil
        ? NextCommands(program: program)
        : NextCommands(planPath, stateDirectory: stateDirectory ?? kept, program: program)
    }
    var next = NextCommands(program: program)
    next.run = "\(program) migrate \(ShellWord.quoted(store)) with its options"
    next.resume = next.run
    return next
  }
}

extension Arguments {
  /// The migration that is named, or that of the current folder.
  func selection() throws -> MigrationSelection {
    guard let named = migration else { return selection(of: try planBegun(), nil) }
    var isFolder = false
    let exists = FileManager.default.fileExists(atPath: named, isDirectory: &isFolder)
    if isFolder { return selection(in: StateLocation(stateDirectory: named), named) }
    let ofStore = InPlaceMigration.stateLocation(of: named)
    let isStore =
      exists
      ? FileReading.beginning(of: named, count: 6)?.elementsEqual("SQLite".utf8) == true
      : FileManager.default.fileExists(atPath: ofStore.path)
    if isStore { return MigrationSelection(location: ofStore, plan: nil, store: named) }
    guard exists else {
      throw Refusal(
        .noInput,
        "\(named): no such plan, state directory or store; a migration removes its state directory when it is done"
      )
    }
    return selection(of: try MigrationPlan(contentsOf: named), named)
  }

  private func selection(of plan: MigrationPlan, _ path: String?) -> MigrationSelection {
    let location = StateLocation(destination: plan.destination.store, stateDirectory: nil)
    return inPlace(plan)
      ?? MigrationSelection(location: location, plan: plan, store: nil, planPath: path)
  }

  private func selection(in location: StateLocation, _ folder: String) -> MigrationSelection {
    if location.isOfThisUser, let kept = try? MigrationPlan(contentsOf: location.planPath),
      let selection = inPlace(kept)
    {
      return selection
    }
    return MigrationSelection(location: location, plan: nil, store: nil, stateDirectory: folder)
  }

  private func inPlace(_ plan: MigrationPlan) -> MigrationSelection? {
    guard InPlaceMigration.hasMade(plan) else { return nil }
    let store = plan.source.store
    return MigrationSelection(
      location: InPlaceMigration.stateLocation(of: store),
      plan: nil,
      store: store
    )
  }

  /// The plan to run: the named one, or that of the current folder.
  func planToRun() throws -> MigrationPlan {
    try MigrationPlan(contentsOf: planPath ?? Arguments.usualPlanPath)
  }

  /// The plan of a migration that has begun: the named one, that of the state directory, that of the current
  /// folder, or that of the only state directory in it.
  func planBegun() throws -> MigrationPlan {
    if let planPath { return try MigrationPlan(contentsOf: planPath) }
    try refuseMissingState()
    let usual = Arguments.usualPlanPath
    let copy = stateDirectory.map { StateLocation(stateDirectory: $0).planPath }
    let found = [copy, usual].compactMap(\.self)
      .first(where: FileManager.default.fileExists(atPath:))
    return try MigrationPlan(contentsOf: found ?? onlyPlanHere() ?? usual)
  }

  func refuseMissingState() throws(Refusal) {
    guard let stateDirectory, !FileManager.default.fileExists(atPath: stateDirectory) else {
      return
    }
    throw Refusal(
      .noInput,
      "\(stateDirectory): no such folder; a migration removes its own when it is done"
    )
  }

  /// A plan that is an operand, which no option names.
  static func plan(named path: String) throws -> MigrationPlan {
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
