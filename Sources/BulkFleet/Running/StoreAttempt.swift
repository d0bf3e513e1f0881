internal import BulkExecute
internal import BulkMigrate
internal import BulkPlan
internal import BulkSupport

/// One attempt at a store, by the contract of a single one: what is done is found done, what was begun is resumed.
struct StoreAttempt {
  struct Planned {
    let plan: MigrationPlan
    let template: VersionTemplate
    /// Whether it is that of an earlier attempt.
    let isFormer: Bool
  }

  private let source: String
  private let destination: String
  private let now: Double
  private let planner: FleetPlanner
  private let location: StateLocation
  /// The plan that the state directory keeps, if it is one of these stores.
  let former: MigrationPlan?

  init(source: String, destination: String, now: Double, _ planner: FleetPlanner) {
    self.source = source
    self.destination = destination
    self.now = now
    self.planner = planner
    location = StateLocation(destination: destination, stateDirectory: nil)
    let plan = location.isOfThisUser ? try? MigrationPlan(contentsOf: location.planPath) : nil
    former = plan.flatMap {
      $0.source.store == source && $0.destination.store == destination ? $0 : nil
    }
  }

  /// Whether an earlier attempt has made the destination, and the source is gone since.
  var isDoneWithoutSource: Bool {
    former != nil && !FileManager.default.fileExists(atPath: source) && isDone
  }

  private var isDone: Bool {
    let status = MigrationRecord(location)
    // A power cut may have taken the name of the receipt.
    guard status.state == .done || status.isPublished else { return false }
    return FileManager.default.fileExists(atPath: destination)
  }

  /// The objects that an earlier attempt has left out; `nil` if none were.
  var rejected: Int64? { (try? RejectFolder(location))?.summary.count }

  /// The rows that earlier attempts and this one have written, as of the last checkpoint.
  var rowsKept: Int64? { MigrationRecord(location).rowsKept }

  /// Plans the migration, or takes the plan of an earlier attempt if that is what a new one would be; `versionFound`
  /// gets the name of the store's version, even if no route leads from it.
  func plan(versionFound: (String) -> Void) throws(PlanError) -> Planned {
    let store = try planner.store(source)
    let template = try planner.template(of: store, versionFound: versionFound)
    if let former, former.source.knownReading != nil, try template.steps.describe(former) {
      return Planned(plan: former, template: template, isFormer: true)
    }
    let plan = try planner.plan(store, by: template, into: destination, now: now)
    return Planned(plan: plan, template: template, isFormer: false)
  }

  /// Makes the destination, or finds it made.
  ///
  /// State that was begun by another plan or another version of the tool is discarded, and begun again.
  ///
  /// Fails if the destination was made of another state of its source, or by another plan.
  func run(
    _ planned: Planned,
    _ settings: MigrationSettings,
    _ events: MigrationEvents
  ) throws -> MigrationRecord {
    func carryOut(_ plan: MigrationPlan, _ start: Migration.Start) throws -> MigrationRecord {
      events.planned(plan)
      do {
        return try StoreMigration(of: plan, settings)
          .carryOut(plan, start, events, sharing: planned.template.steps)
      } catch let error as MigrationError where error.isOfAnotherPlan(start) && isDone {
        throw FleetError(
          StoreResult.Code.cannotCreate,
          "\(source) has changed since \(destination) was made of it, or the plan has; to migrate it again, move "
            + "\(destination) and \(destination).bulkmigrate away"
        )
      }
    }
    do {
      return try carryOut(planned.plan, .resumeOrBegin)
    } catch MigrationError.stalePlan where planned.isFormer,
      MigrationError.damagedCheckpoints,
      MigrationError.damagedState,
      MigrationError.anotherTool
    {
      let store = try planner.store(source)
      let plan = try planner.plan(store, by: planned.template, into: destination, now: now)
      return try carryOut(plan, .restart)
    }
  }
}

extension MigrationError {
  /// Whether a migration that has made its destination ends with this where another plan is asked of it.
  fileprivate func isOfAnotherPlan(_ start: Migration.Start) -> Bool {
    switch self {
    case .destinationExists: true
    // A restart leaves a published store and its checkpoint alone.
    case .damagedCheckpoints: start == .restart
    default: false
    }
  }
}

extension StoreResult {
  mutating func take(_ planned: StoreAttempt.Planned) {
    self.version = planned.template.version
    self.destinationVersion = planned.template.destinationVersion
    self.sourceBytes = planned.plan.source.bytes
    record.planFingerprint = planned.plan.fingerprint
  }
}
