internal import BulkVersions
public import BulkExecute
public import BulkPlan
public import BulkPreflight
public import BulkVerify
internal import BulkPlatform
internal import Synchronization

extension StoreMigration {
  /// Plans the migration; reads models, metadata and counts, and writes nothing.
  ///
  /// - Throws: ``StoreMigrationError`` if something is missing, corrupt, or cannot be migrated;
  ///   `CancellationError` if the task is cancelled.
  public func plan() async throws -> MigrationPlan {
    try await Work.perform { cancellation in
      let plan = try newPlan()
      try cancellation.check()
      return plan
    }
  }

  /// Plans and makes the destination.
  ///
  /// - Returns: The outcome; its `destination` is `nil` if the source fits the model already.
  /// - Throws: ``StoreMigrationError``, with the code `unfinished` if an interrupted migration of the same
  ///   destination can be resumed; `CancellationError` if the task is cancelled.
  @discardableResult
  public func run() async throws -> MigrationOutcome {
    try await perform(.begin) { try newPlan() }
  }

  /// Carries out a plan exactly.
  ///
  /// - Parameter plan: A plan that ``plan()`` made for this source and destination.
  /// - Returns: The outcome.
  /// - Throws: ``StoreMigrationError``, with the code `stalePlan` if a model, the mapping or the source is
  ///   not what it was; `CancellationError` if the task is cancelled.
  @discardableResult
  public func run(_ plan: MigrationPlan) async throws -> MigrationOutcome {
    try await perform(.begin) { try own(plan) }
  }

  /// Resumes an interrupted run from its last checkpoint, and ends with the same bytes.
  ///
  /// It carries out the plan of the interrupted run.
  ///
  /// - Returns: The outcome, including the rows of the interrupted run.
  /// - Throws: ``StoreMigrationError``, with the code `nothingToResume` if no run was interrupted;
  ///   `CancellationError` if the task is cancelled.
  @discardableResult
  public func resume() async throws -> MigrationOutcome {
    try await perform(.resume) { try interruptedPlan() }
  }

  /// Discards an interrupted run of the same destination, if there is one, and restarts with a new plan.
  ///
  /// - Returns: The outcome.
  /// - Throws: As ``run()``.
  @discardableResult
  public func restart() async throws -> MigrationOutcome {
    try await perform(.restart) { try newPlan() }
  }

  /// Reports what a run would find: objects that violate rules of the destination's model,
  /// expressions that fail, links that are lost, and faults of the source.
  ///
  /// Nothing is written but temporary files. The numbers are those of a run that leaves objects out.
  ///
  /// - Parameters:
  ///   - plan: A plan that ``plan()`` made; a new one without it.
  ///   - sample: The share of keys to read, from 0 to 1; `nil` for all.
  ///   - classes: The classes that archives may have beside those of Foundation; `nil` to read no archives.
  /// - Returns: The findings.
  /// - Throws: ``StoreMigrationError`` if a store cannot be read, or if the source or a model is not what it
  ///   was; `CancellationError` if the task is cancelled.
  public func preflight(
    _ plan: MigrationPlan? = nil,
    sample: Double? = nil,
    classes: [String]? = nil
  ) async throws -> PreflightReport {
    try await Work.perform { cancellation in
      var preflight = Preflight(try plan.map { try own($0) } ?? newPlan())
      preflight.memoryLimit =
        memoryLimit ?? (ProcessMemory.resident ?? .zero) + .mebibytes(256)
      preflight.policies = registry
      preflight.dependants = rejects.dependants
      preflight.sample = sample
      preflight.classes = classes
      preflight.stopRequest = { cancellation.isRequested ? .atOnce : nil }
      return try preflight.run()
    }
  }

  /// Compares the destination with what a plan says of the source; both are only read.
  ///
  /// - Parameters:
  ///   - plan: The plan by which the destination was made, by this program or another.
  ///   - level: How thoroughly to look; a full verification needs as much room as the destination.
  /// - Returns: The findings.
  /// - Throws: ``StoreMigrationError`` if a store cannot be read, or if the source or a model is not what it
  ///   was; `CancellationError` if the task is cancelled, after which the next call resumes.
  public func verify(
    _ plan: MigrationPlan,
    level: VerificationLevel = .quick
  ) async throws -> VerificationReport {
    try await Work.perform { cancellation in
      var verification = Verification(try own(plan))
      verification.level = level
      verification.migrationState = stateDirectory?.path
      verification.memoryLimit =
        memoryLimit ?? (ProcessMemory.resident ?? .zero) + .mebibytes(256)
      verification.policies = registry
      verification.stopRequest = { cancellation.isRequested ? .afterTransaction : nil }
      return try verification.run()
    }
  }

  /// Whether a run of the same destination was interrupted and can be resumed.
  public var isInterrupted: Bool { MigrationStatus(stateLocation).state == .interrupted }

  /// The progress of the next run, from the time of this call until the run ends.
  ///
  /// A slow reader gets the newest value; the last one always arrives. Rows never decrease.
  ///
  /// ```swift
  /// let progress = migration.progress
  /// async let outcome = migration.run()
  /// for await step in progress { print(step.rowsDone, "of", step.rowsTotal) }
  /// print(try await outcome.rows)
  /// ```
  public var progress: AsyncStream<MigrationProgress> { listeners.stream() }
}

extension StoreMigration {
  private var stateLocation: StateLocation {
    StateLocation(destination: destination.path, stateDirectory: stateDirectory?.path)
  }

  private var registry: PolicyRegistry { PolicyRegistry(policies, transformers: transformers) }

  private func perform(
    _ start: Migration.Start,
    _ plan: @escaping @Sendable () throws -> MigrationPlan
  ) async throws -> MigrationOutcome {
    defer { listeners.finish() }
    return try await Work.perform { cancellation in
      let migration = migration(try plan(), cancellation)
      try cancellation.check()
      return try migration.run(start)
    }
  }

  private func newPlan() throws -> MigrationPlan {
    var request = PlanRequest()
    request.argumentNames = .properties
    request.source = try path(of: source)
    request.destination = try path(of: destination)
    request.mappingFiles = try ([mapping].compactMap(\.self) + furtherMappings).map(path)
    request.sourceModel = try sourceModel.map(path)
    request.destinationModel = try destinationModel.map(path)
    request.models = try models.map(path)
    request.mappings = try mappings.map(path)
    request.ignoredMappings = try ignoredMappings.map(path)
    request.version = version
    request.infers = infers
    request.takesFirst = takesFirst
    request.allowed = allowed
    request.strategy = strategy
    let known = registry
    request.knowsPolicy = { known.policy(named: $0) != nil }
    request.knowsTransformer = { known.hasTransformer(named: $0) }
    return try Planner.plan(request)
  }

  private func path(of url: URL) throws -> String {
    guard url.isFileURL else {
      throw StoreMigrationError(.missingInput, "\(url.absoluteString) names no file")
    }
    return url.path
  }

  /// The plan of the run that was interrupted.
  private func interruptedPlan() throws -> MigrationPlan {
    guard let plan = MigrationStatus(stateLocation).plan else {
      throw MigrationError.nothingToResume(stateLocation.path)
    }
    return try own(plan)
  }

  /// A plan, if it is for this source and destination.
  private func own(_ plan: MigrationPlan) throws -> MigrationPlan {
    let stores = [source.standardizedFileURL.path, destination.standardizedFileURL.path]
    guard stores == [plan.source.store, plan.destination.store] else {
      throw MigrationError.stalePlan([
        "the plan makes \(plan.destination.store) of \(plan.source.store), not \(stores[1]) of \(stores[0])"
      ])
    }
    return plan
  }

  private func migration(_ plan: MigrationPlan, _ cancellation: Cancellation) -> Migration {
    let base = ProcessMemory.resident ?? .zero
    var migration = Migration(plan)
    migration.memoryLimit = memoryLimit ?? base + .mebibytes(256)
    migration.policies = registry
    migration.lossLimit = lossLimit
    migration.rejects = rejects
    migration.stateDirectory = stateDirectory?.path
    migration.lockWait = lockWait
    migration.onDiskFull = onDiskFull
    migration.stopRequest = { cancellation.isRequested ? .afterTransaction : nil }
    migration.report = { [listeners] in listeners.report($0) }
    return migration
  }
}

/// Whether the task that a thread works for is cancelled.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isRequested: Bool { flag.load(ordering: .relaxed) }

  func check() throws(CancellationError) {
    if isRequested { throw CancellationError() }
  }

  func request() { flag.store(true, ordering: .relaxed) }
}

/// Work that reads and writes files for as long as it takes.
enum Work {
  /// The stack of the thread, in bytes; expressions are evaluated by recursion.
  private static let stackSize = 8 << 20

  /// Does some work on a separate thread, so that none of Swift's few threads waits for the disk.
  ///
  /// - Parameter work: The work; it should check regularly whether it is cancelled.
  /// - Returns: The result of the work.
  /// - Throws: ``StoreMigrationError``; `CancellationError` if the task is cancelled.
  static func perform<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        SystemThread.detach(stackBytes: stackSize) {
          continuation.resume(
            with: Result { try work(cancellation) }.mapError(StoreMigrationError.translated)
          )
        }
      }
    } onCancel: {
      cancellation.request()
    }
  }
}
