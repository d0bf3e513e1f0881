internal import BulkExecute
internal import BulkPlan
internal import BulkPlatform
internal import BulkStore
internal import BulkVersions

/// The store that a destination should be equal to, made in another way.
struct ExpectedStore {
  private let verification: Verification
  private let folder: String

  init(_ verification: Verification) {
    self.verification = verification
    folder = verification.scratchFolder ?? verification.path + ".verification"
  }

  private var path: String { folder + "/expected.sqlite" }

  /// Makes the store, or resumes where an interrupted verification stopped.
  ///
  /// - Returns: Its path.
  /// - Throws: ``MigrationError``, also if the source is not the one that the plan was made for.
  func make() throws -> String {
    let policies = verification.policies
    let plan = try verification.plan.planOfExpectedStore(at: path) {
      policies.policy(named: $0) != nil
    }
    guard plan.source.identity == verification.plan.source.identity else {
      throw MigrationError.stalePlan(["the source store \(plan.source.store) has changed"])
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw MigrationError.cannotCreate(path: folder, reason: "\(error)")
    }
    var migration = Migration(plan)
    migration.rowSink = { session, _ in SQLRowSink(session) }
    migration.memoryLimit = verification.memoryLimit
    // What the check of the store left counts as well.
    migration.baseMemory = [verification.baseMemory, ProcessMemory.resident].compactMap(\.self)
      .max()
    migration.policies = policies
    migration.keepsReceipt = true
    migration.rejects = try rejects()
    migration.stopRequest = verification.stopRequest
    migration.report = { verification.tell(.evaluating, $0.rowsDone, of: $0.rowsTotal) }
    _ = try migration.run(.resumeOrBegin)
    return path
  }

  /// The policy by which objects were left out of the destination; to stop if none were.
  private func rejects() throws -> RejectPolicy {
    let folder = try RejectFolder(verification.stateLocation)
    guard let summary = folder?.summary, summary.plan == verification.plan.fingerprint else {
      return RejectPolicy()
    }
    return RejectPolicy(summary.policy.action, dependants: summary.policy.dependants)
  }

  /// Removes the store with everything beside it; what cannot be removed stays.
  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
