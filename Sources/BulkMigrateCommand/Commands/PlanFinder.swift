import BulkExecute
import BulkPlan
import BulkPlatform

/// Finds the plan for a command when none is named.
struct PlanFinder {
  private let planPath: String?
  private let stateDirectory: String?

  /// A finder for a command's arguments.
  init(planPath: String?, stateDirectory: String?) {
    self.planPath = planPath
    self.stateDirectory = stateDirectory
  }

  /// The plan to run: the named one, or that of the current folder.
  func planToRun() throws -> MigrationPlan {
    try MigrationPlan(contentsOf: planPath ?? PlanCommand.defaultPlanPath)
  }

  /// The plan of a migration that has begun: the named one, that of the state directory, that of the current
  /// folder, or that of the only state directory in it.
  func planBegun() throws -> MigrationPlan {
    if let planPath { return try MigrationPlan(contentsOf: planPath) }
    if let stateDirectory {
      let copy = StateLocation(stateDirectory: stateDirectory).planPath
      if FileManager.default.fileExists(atPath: copy) {
        return try MigrationPlan(contentsOf: copy)
      }
    }
    let usual = PlanCommand.defaultPlanPath
    if !FileManager.default.fileExists(atPath: usual), let only = onlyPlanHere() {
      return try MigrationPlan(contentsOf: only)
    }
    return try MigrationPlan(contentsOf: usual)
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
