internal import BulkSupport
package import BulkExecute
package import BulkPlan
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Verifies that a destination is the one that its plan makes of its source.
///
/// At level ``VerificationLevel/full`` a second store is made beside the destination, in another
/// way than the first: nothing is written as pages, and mapping models are evaluated row by row.
/// Both stores are then read in the order of their keys and compared. The source and the
/// destination are only read.
@dynamicMemberLookup
package struct Verification {
  package let plan: MigrationPlan
  package var level = VerificationLevel.quick
  /// `nil` for the destination of the plan.
  package var destination: String?
  /// `nil` for one beside the destination.
  package var scratchFolder: String?
  /// The memory limit, the policies, and the state directory of the migration.
  package var settings: MigrationSettings
  /// Is asked regularly whether to stop, and how.
  package var stopRequest: () -> StopRequest? = { nil }
  package var report: (VerificationProgress) -> Void = { _ in }

  /// Is read in place of the source.
  var sourceCopy: SourceCopy?

  package init(_ plan: MigrationPlan, _ settings: MigrationSettings = MigrationSettings()) {
    (self.plan, self.settings) = (plan, settings)
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<MigrationSettings, Value>) -> Value {
    get { settings[keyPath: path] }
    set { settings[keyPath: path] = newValue }
  }

  /// The state directory of the migration, which holds what was left out of the destination.
  var stateLocation: StateLocation {
    StateLocation(destination: plan.destination.store, stateDirectory: settings.stateDirectory)
  }

  package var path: String { destination ?? plan.destination.store }

  /// Verifies the destination.
  ///
  /// An interrupted full verification leaves its expected store, and the next one resumes it.
  ///
  /// Throws also if the source or the models are not those of the plan.
  package func run() throws -> VerificationReport {
    var report = try plan.reading(path, isStopped: { stopRequest() != nil }) { copy in
      var verification = self
      verification.sourceCopy = copy
      return try verification.verified()
    }
    if let rejects = try? RejectFolder(stateLocation)?.summary, rejects.plan == plan.fingerprint {
      report.rejected = rejects.count
    }
    return report
  }

  private func verified() throws -> VerificationReport {
    guard !plan.isUpToDate else {
      throw MigrationError.plan(
        .badPlan("the plan of \(path)", reason: "it has nothing to do, so it made no store")
      )
    }
    let model = try plan.destinationModel()
    let check = DestinationCheck(
      report: VerificationReport(
        level: level,
        destination: path,
        source: plan.source.store,
        plan: plan.fingerprint
      ),
      model: model,
      source: StoreCheck.Source(
        path: plan.source.store,
        missingFiles: plan.losses.reduce(0) { $1.cause == .missingFile ? $0 + $1.count : $0 },
        copy: sourceCopy,
        model: try plan.isInferred() ? try plan.sourceModel() : nil
      )
    )
    tell(.checking, 0, of: plan.rowsOfAllLegs)
    let store = try PersistentStore(path: path)
    guard level == .full else {
      var found = try run(check)
      found.expectations = try expectations(of: store, model)
      return found
    }
    return try verifiedFully(store, model, check)
  }

  /// Verifies every row; with a second processor, the store itself is checked at the same time.
  private func verifiedFully(
    _ store: PersistentStore,
    _ model: ManagedObjectModel,
    _ check: DestinationCheck
  ) throws -> VerificationReport {
    let expected = try ExpectedStore(self)
    var beside: CheckBeside?
    do {
      beside = try CheckBeside(check, within: settings.memoryLimit.bytes)
      var found = try beside == nil ? run(check) : check.report
      let expectations = try expectations(of: store, model)
      let path = try expected.make(beside: beside)
      if let beside { found = try beside.report(stopIfRequested) }
      found.expectations = expectations
      try compare(with: path, store, model, &found)
      for part in try plan.unaccounted(copy: sourceCopy) {
        found.add(StoreDifference(.account, found: part))
      }
      expected.remove()
      return found
    } catch {
      beside?.stop()
      guard let failure = beside?.failure else {
        expected.leave()
        throw error
      }
      expected.remove()
      throw failure
    }
  }

  private func run(_ check: DestinationCheck) throws -> VerificationReport {
    try check.run(
      pages: settings.memoryLimit.bytes / 4,
      keys: settings.memoryLimit.bytes / 8,
      stopIfRequested
    )
  }

  /// `nil` if the mapping file has none.
  private func expectations(
    of store: PersistentStore,
    _ model: ManagedObjectModel
  ) throws -> [ExpectationResult]? {
    let expected = try plan.expectations()
    guard !expected.isEmpty else { return nil }
    let source = try PersistentStore(path: plan.source.store, copy: sourceCopy)
    let check = ExpectationCheck(
      destination: try counter(store, model),
      source: try counter(source, plan.sourceModel())
    )
    var results: [ExpectationResult] = []
    for (index, expectation) in expected.enumerated() {
      tell(.expecting, Int64(index), of: Int64(expected.count))
      results.append(
        model.entity(named: expectation.entity) == nil
          ? ExpectationResult(skipping: expectation) : try check.result(of: expectation)
      )
    }
    return results
  }

  private func counter(
    _ store: PersistentStore,
    _ model: ManagedObjectModel
  ) throws -> ObjectCounter {
    try ObjectCounter(
      store,
      model,
      memory: settings.memoryLimit.bytes / 16,
      constants: plan.constants(settings.policies.transformers, reading: store.metadata),
      stopIfRequested: stopIfRequested
    )
  }

  private func compare(
    with path: String,
    _ store: PersistentStore,
    _ model: ManagedObjectModel,
    _ found: inout VerificationReport
  ) throws {
    let origins = try SourceNames(plan, copy: sourceCopy)
    let expected = try PersistentStore(path: path)
    try counter(expected, model).findWrongDerivations { found.add($0) }
    let comparison = try StoreComparison(expected: expected, actual: store, model: model) {
      origins.name(of: $0, $1)
    }
    var rows: Int64 = 0
    let total = plan.rowsOfAllLegs
    let former = Set(found.differences)
    found.rowsCompared = try comparison.run { count in
      rows += count
      tell(.comparing, rows, of: total)
      try stopIfRequested()
    } _: { difference in
      if !former.contains(difference) { found.add(difference) }
    }
  }

  func tell(_ stage: VerificationProgress.Stage, _ rows: Int64, of total: Int64) {
    report(VerificationProgress(stage: stage, rowsDone: rows, rowsTotal: total))
  }

  func stopIfRequested() throws {
    if stopRequest() != nil { throw MigrationError.cancelled }
  }
}
