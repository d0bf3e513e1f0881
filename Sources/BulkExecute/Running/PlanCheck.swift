internal import BulkPlan
internal import BulkStore

/// Checks a plan against its inputs as they are now.
///
/// For this the source is read in the background while the work begins; the work counts only after
/// ``confirm(_:)``.
struct PlanCheck {
  /// The open store, in the planned state if ``confirm(_:)`` returns.
  let store: PersistentStore
  let work: MigrationWork
  let identity: Background<Result<StoreIdentity, StoreError>>
  let reading: SourceReading
  private let planned: String

  /// Opens the inputs of a plan and checks that the models have not changed.
  ///
  /// `former` is how much of the source an earlier attempt has read. Shared steps that are not those of the
  /// plan are not used. Throws ``MigrationError/stalePlan(_:)`` with everything that has changed.
  init(
    _ plan: MigrationPlan,
    copy: SourceCopy? = nil,
    reading former: StoreReading? = nil,
    sharing shared: SharedSteps? = nil
  ) throws(MigrationError) {
    let reading = plan.source.knownReading ?? former
    guard !plan.hasSeveralLegs else {
      let reason = "it has several steps; plan them one by one"
      throw .plan(.badPlan("the plan of \(plan.destination.store)", reason: reason))
    }
    if copy == nil, let planned = shared?.takeStore(at: plan.source.store) {
      store = planned
    } else {
      store = try MigrationError.planning(
        try PersistentStore.planned(at: plan.source.store, copy: copy)
      )
    }
    guard store.size == plan.source.bytes else {
      throw .stalePlan([
        "the source store \(store.path) has changed: it had \(plan.source.bytes) bytes, and has \(store.size)"
      ])
    }
    let identification = store.identification
    let progress = SourceReading(reading)
    self.reading = progress
    let isUnread = plan.source.isUnread
    identity = Background { isStopped in
      Result { () throws(StoreError) in
        isUnread
          ? .unread
          : try identification.run(after: reading, isStopped: isStopped) { progress.note($0) }
      }
    }
    planned = plan.source.identity
    do throws(MigrationError) {
      work = try plan.work(on: store, sharing: shared)
    } catch {
      var others: [String] = []
      if case .stalePlan(let changed) = error { others = changed }
      throw Self.change(of: store, to: identity.value(), from: planned, with: others) ?? error
    }
  }

  /// Waits until the source is read, and throws ``MigrationError/stalePlan(_:)`` if it is not the planned one.
  ///
  /// `stopIfRequested` is called regularly.
  func confirm(_ stopIfRequested: () throws -> Void) throws {
    let found = try identity.value(stopIfRequested)
    if let change = Self.change(of: store, to: found, from: planned) { throw change }
  }

  private static func change(
    of store: PersistentStore,
    to found: Result<StoreIdentity, StoreError>,
    from planned: String,
    with others: [String] = []
  ) -> MigrationError? {
    switch found {
    case .success(let identity) where identity.text == planned: nil
    // The rows read may mix two states.
    case _ where store.hasChanged: .changedSource(store.path)
    case .success: .stalePlan(["the source store \(store.path) has changed"] + others)
    case .failure(let error): .plan(.store(error, path: store.path))
    }
  }
}

extension MigrationPlan {
  /// The work by steps that other stores share, if they are those of the plan; else by its models and mappings, which
  /// are read again.
  func work(
    on store: PersistentStore,
    sharing shared: SharedSteps? = nil
  ) throws(MigrationError) -> MigrationWork {
    do throws(PlanError) {
      if let shared, try shared.describe(self) { return try shared.work(of: self, on: store) }
      return try steps(0..<steps.count).work(of: self, on: store)
    } catch {
      if case .stale(let changed) = error { throw .stalePlan(changed) }
      throw .plan(error)
    }
  }
}

extension PersistentStore {
  /// Refuses a source that could be read forever; see ``PersistentStore/refuseSharedPages(isStopped:)``.
  func refuseEndlessPages(isStopped: @escaping () -> Bool) throws(MigrationError) {
    do throws(StoreError) {
      try refuseSharedPages(isStopped: isStopped)
    } catch {
      if case .interruption = error.cause { throw .cancelled }
      throw hasChanged ? .changedSource(path) : .plan(.store(error, path: path))
    }
  }
}
