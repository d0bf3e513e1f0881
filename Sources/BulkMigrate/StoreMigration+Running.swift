public import BulkExecute
public import BulkPlan
public import BulkSupport

extension StoreMigration {
  /// Plans the migration; reads models, metadata and counts, and writes nothing.
  ///
  /// - Throws: ``StoreMigrationError`` if something is missing, corrupt, or cannot be migrated;
  ///   `CancellationError` if the task is cancelled.
  public func plan() async throws -> MigrationPlan {
    try await Work.perform { cancellation in
      let plan = try planned()
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
  public func run() async throws -> MigrationRecord {
    try await perform(.begin) { try planned() }
  }

  /// Carries out a plan exactly.
  ///
  /// - Parameter plan: A plan that ``plan()`` made for this source and destination.
  /// - Returns: The outcome.
  /// - Throws: ``StoreMigrationError``, with the code `stalePlan` if a model, the mapping or the source is
  ///   not what it was; `CancellationError` if the task is cancelled.
  @discardableResult
  public func run(_ plan: MigrationPlan) async throws -> MigrationRecord {
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
  public func resume() async throws -> MigrationRecord {
    try await perform(.resume) { try interruptedPlan() }
  }

  /// Resumes an interrupted run of the same destination, if there is one, and runs otherwise.
  ///
  /// - Throws: As ``run()`` and ``resume()``.
  @discardableResult
  public func runOrResume() async throws -> MigrationRecord {
    try await perform(.resumeOrBegin) { isInterrupted ? try interruptedPlan() : try planned() }
  }

  /// Discards an interrupted run of the same destination, if there is one, and restarts with a new plan.
  ///
  /// - Throws: As ``run()``.
  @discardableResult
  public func restart() async throws -> MigrationRecord {
    try await perform(.restart) { try planned() }
  }

  /// Reports what a run would find: objects that violate rules of the destination's model,
  /// expressions that fail, links that are lost, and faults of the source.
  ///
  /// Nothing is written but temporary files. The numbers are those of a run that leaves objects out.
  ///
  /// - Parameters:
  ///   - plan: A plan that ``plan()`` made; a new one without it.
  ///   - sample: The share of keys to read, from 0 to 1; `nil` for all.
  /// - Returns: The findings.
  /// - Throws: ``StoreMigrationError`` if a store cannot be read, or if the source or a model is not what it
  ///   was; `CancellationError` if the task is cancelled.
  public func preflight(
    _ plan: MigrationPlan? = nil,
    sample: Double? = nil
  ) async throws -> PreflightReport {
    try await Work.perform { cancellation in
      var preflight = preflight(by: try plan.map { try own($0) } ?? planned())
      preflight.sample = sample
      preflight.stopRequest = { cancellation.isRequested ? .atOnce : nil }
      return try preflight.run()
    }
  }

  /// Compares the destination with what a plan says of the source; both are only read.
  ///
  /// - Parameters:
  ///   - plan: The plan by which the destination was made, by this program or another.
  ///   - level: How thoroughly to look; a full verification needs as much space as the destination.
  /// - Returns: The findings.
  /// - Throws: ``StoreMigrationError`` if a store cannot be read, or if the source or a model is not what it
  ///   was; `CancellationError` if the task is cancelled, after which the next call resumes.
  public func verify(
    _ plan: MigrationPlan,
    level: VerificationLevel = .quick
  ) async throws -> VerificationReport {
    try await Work.perform { cancellation in
      var verification = verification(by: try own(plan))
      verification.level = level
      verification.stopRequest = { cancellation.stopRequest }
      return try verification.run()
    }
  }

  /// Brings objects that a run has left out into the destination, once the mapping, a policy or their values in the
  /// reject files were corrected.
  ///
  /// The destination is replaced by one that is made as if no object had failed, and kept with a `~` before its
  /// extension. Nothing changes if an object still fails.
  ///
  /// - Returns: The outcome; its `destination` is `nil` if nothing was left out.
  /// - Throws: ``StoreMigrationError``, with the code `invalidObjects` if an object still fails, and `stalePlan` if the
  ///   destination has changed since; `CancellationError` if the task is cancelled.
  @discardableResult
  public func replay() async throws -> MigrationRecord {
    try await Work.perform(within: timeLimit) { cancellation in
      guard let folder = try RejectFolder(stateLocation) else { return .nothing }
      return try replay(of: folder, events(until: cancellation)).run()
    }
  }

  /// Brings the source to the requested version in place: migrates it beside itself, and replaces it.
  ///
  /// The old store is kept with a `~` before its extension, with its folder of external values; ``rollback()``
  /// goes back to it. However it is interrupted, the old or the new store is in place, complete, and another call
  /// continues. No other program may have the store open. The destination does not matter.
  ///
  /// - Returns: The outcome; its `destination` is `nil` if the store has the requested version already.
  /// - Throws: ``StoreMigrationError``; `CancellationError` if the task is cancelled.
  @discardableResult
  public func migrate() async throws -> MigrationRecord {
    try await Work.perform(within: timeLimit) { cancellation in
      try refuseRemoteNames()
      return try replace(events(until: cancellation))
    }
  }

  /// Puts back the store that ``migrate()`` has kept.
  ///
  /// At every instant one of the two stores, complete, has the name.
  ///
  /// - Returns: The migrated store, with everything written to it since, under its name now.
  /// - Throws: ``StoreMigrationError``, with the code `nothingToResume` if no store was kept.
  @discardableResult
  public func rollback() async throws -> URL {
    try await Work.perform { _ in URL(fileURLWithPath: try rollBack()) }
  }
}

extension StoreMigration {
  private func perform(
    _ start: Migration.Start,
    _ plan: @escaping @Sendable () throws -> MigrationPlan
  ) async throws -> MigrationRecord {
    try await Work.perform(within: timeLimit) { cancellation in
      let plan = try plan()
      try cancellation.check()
      return try carryOut(plan, start, events(until: cancellation))
    }
  }

  private func events(until cancellation: Cancellation) -> MigrationEvents {
    var events = MigrationEvents()
    events.stopRequest = { cancellation.stopRequest }
    if let progressHandler { events.report = progressHandler }
    return events
  }

  private func planned() throws -> MigrationPlan {
    try refuseRemoteNames()
    return try newPlan()
  }

  private func refuseRemoteNames() throws {
    let names =
      [request.source, request.destination, request.sourceModel, request.destinationModel]
      .compactMap(\.self) + request.mappingFiles + request.models + request.mappings
      + request.ignoredMappings
    guard let name = names.first(where: { $0.contains("://") }) else { return }
    throw StoreMigrationError(.missingInput, "\(name) names no file")
  }

  private func interruptedPlan() throws -> MigrationPlan {
    guard let plan = MigrationRecord(stateLocation).plan else {
      throw MigrationError.nothingToResume(stateLocation.path)
    }
    return try own(plan)
  }

  private func own(_ plan: MigrationPlan) throws -> MigrationPlan {
    let stores = [source.standardizedFileURL.path, destination.standardizedFileURL.path]
    guard stores == [plan.source.store, plan.destination.store] else {
      throw MigrationError.stalePlan([
        "the plan makes \(plan.destination.store) of \(plan.source.store), not \(stores[1]) of \(stores[0])"
      ])
    }
    return plan
  }
}

extension MigrationPlan {
  /// Reads a plan that ``StoreMigration/plan()`` or the command line made.
  ///
  /// - Throws: ``StoreMigrationError`` if it is not a plan, has another format, or was edited.
  public init(contentsOf url: URL) throws {
    do {
      try self.init(contentsOf: url.path)
    } catch {
      throw StoreMigrationError.translated(error)
    }
  }
}
