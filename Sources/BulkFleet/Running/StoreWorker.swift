internal import BulkSupport
package import BulkExecute
package import BulkMigrate
internal import BulkPlan

/// Migrates the stores of a fleet in this process, one after another, under one memory limit.
///
/// Models and mappings are read once, and routes are found once for every version. A store goes through the contract of
/// a single one: the lock, the checkpoints and the receipt in its state directory.
package final class StoreWorker {
  package struct Settings {
    /// The limits, and the treatment of faults; the memory limit is that of the process.
    package var migration: MigrationSettings
    /// How every store is verified; `nil` where only canaries are.
    package var verification: VerificationLevel?
    /// Called regularly; returns whether to stop, and how.
    package var stopRequest: () -> StopRequest? = { nil }
    /// The exit code of an error, as the commands for a single store have it.
    package var code: (any Error) -> Int32

    package init(_ migration: MigrationSettings, code: @escaping (any Error) -> Int32) {
      (self.migration, self.code) = (migration, code)
    }
  }

  private let fleet: FleetPlan
  private let settings: Settings
  private let planner: FleetPlanner
  private var staging: StageCommands?
  private let host = SystemHost.current.name()
  /// The memory of the templates that stay, by the name of their version, in bytes.
  private var templateBytes: [String: Int64] = [:]

  package init(_ fleet: FleetPlan, _ settings: Settings, staging: StageCommands?) throws {
    self.fleet = fleet
    self.settings = settings
    self.staging = staging
    self.staging?.isStopped = { settings.stopRequest() != nil }
    let policies = settings.migration.policies
    planner = try FleetPlanner(
      fleet.request(
        knowsPolicy: { policies.policy(named: $0) != nil },
        knowsTransformer: { policies.hasTransformer(named: $0) }
      )
    )
  }

  package func run(_ job: StoreJob) -> StoreResult {
    ProcessMemory.restartPeak()
    let start = (wall: SystemHost.current.instant(), processor: ProcessUse.processorSeconds)
    var result = StoreResult(job, of: fleet)
    do {
      if let staging {
        try staging.run(job.store, of: fleet, planner) { source, destination in
          let missing = try StagedStore.missingFiles(of: source, planner)
          result.missingFiles = missing > 0 ? missing : nil
          try migrate(source, to: destination, job, &result)
        } already: {
          result.finish(as: .already, rejected: $0)
        } final: {
          fail(&result, with: $0)
          return result.failure == .permanent
        }
      } else {
        let (source, destination) = (job.store.source, job.store.destination)
        // It may have come to lie there since the fleet was planned.
        if let root = fleet.settings.root,
          let fault = FleetRoot(root).faults(source: source, destination: destination).first
        {
          throw FleetError.badFleet(path: fleet.manifest, reason: fault)
        }
        try migrate(source, to: destination, job, &result)
      }
    } catch {
      fail(&result, with: error)
    }
    result.record.wallSeconds = start.wall.duration(to: SystemHost.current.instant()) / .seconds(1)
    result.record.processorSeconds = ProcessUse.processorSeconds - start.processor
    result.record.peakMemoryBytes = ProcessMemory.peak?.bytes
    result.host = host
    result.time = SystemHost.current.now().timeIntervalSince1970
    return result
  }

  private func migrate(
    _ source: String,
    to destination: String,
    _ job: StoreJob,
    _ result: inout StoreResult
  ) throws {
    let attempt = StoreAttempt(source: source, destination: destination, now: fleet.now, planner)
    if attempt.isDoneWithoutSource {
      return result.finish(as: .already, rejected: attempt.rejected)
    }
    let planned = try attempt.plan { result.version = $0 }
    defer { planned.template.steps.discardStore() }
    result.take(planned)
    let before = attempt.former == nil ? nil : attempt.rowsKept
    let outcome: MigrationRecord
    do {
      var plan = planned.plan
      defer { result.record.planFingerprint = plan.fingerprint }
      var events = MigrationEvents()
      events.planned = { plan = $0 }
      events.stopRequest = settings.stopRequest
      outcome = try attempt.run(planned, limits(besidesTemplates: true), events)
    } catch MigrationError.cancelled {
      result.record.rowsBefore = before
      result.record.rowsOfAttempt = max(0, (attempt.rowsKept ?? 0) - (before ?? 0))
      throw MigrationError.cancelled
    }
    result.take(outcome)
    // The template stays in memory.
    let models = planned.plan.memory.shares.first { $0.use == .models }?.leastBytes
    if let models { templateBytes[planned.template.version] = models }
    let level = job.verifies ? .full : settings.verification
    guard let level, let path = outcome.destinationPath else { return }
    try verify(planned.plan, path, at: level, &result)
  }

  private func limits(besidesTemplates: Bool) -> MigrationSettings {
    var limits = settings.migration
    limits.lossLimit = fleet.settings.maxLoss
    limits.keepsReceipt = true
    if besidesTemplates, let base = limits.baseMemory {
      limits.baseMemory = ByteCount(bytes: base.bytes + templateBytes.values.reduce(0, +))
    }
    return limits
  }

  private func verify(
    _ plan: MigrationPlan,
    _ path: String,
    at level: VerificationLevel,
    _ result: inout StoreResult
  ) throws {
    let migration = StoreMigration(of: plan, limits(besidesTemplates: false))
    var verification = migration.verification(by: plan)
    verification.level = level
    verification.stopRequest = settings.stopRequest
    let report = try verification.run()
    result.record.verification = MigrationRecord.Verification(
      level: level.rawValue,
      isVerified: report.isVerified,
      differences: report.differenceCount
    )
    guard !report.isVerified else { return }
    let first = report.differences.first.map { ", the first: \($0)" } ?? ""
    // One that is staged is not put.
    throw DifferingStore(message: "\(path) is not what its plan says of its source\(first)")
  }

  private struct DifferingStore: Error {
    let message: String
  }

  private func fail(_ result: inout StoreResult, with error: any Error) {
    guard let differing = error as? DifferingStore else {
      return result.fail(with: error, code: settings.code(error))
    }
    let fault = MigrationRecord.Fault(message: differing.message)
    result.fail(with: StoreResult.Code.verificationFailed, fault)
  }
}
