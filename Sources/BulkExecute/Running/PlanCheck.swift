internal import BulkVersions
internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Checks a plan against its inputs as they are now.
///
/// For this the source is read in the background while the work begins; the work counts only after
/// ``confirm(_:)``.
struct PlanCheck {
  /// The open store, in the planned state if ``confirm(_:)`` returns.
  let store: PersistentStore
  /// The work that the plan describes.
  let work: MigrationWork
  /// Determines the state of the source.
  let identity: Background<Result<StoreIdentity, StoreError>>
  /// How much of the source is read.
  let reading: SourceReading
  private let planned: String

  /// Opens the inputs of a plan and checks that the models have not changed.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - former: How much of the source an earlier attempt has read.
  /// - Throws: ``MigrationError/stalePlan(_:)`` with everything that has changed.
  init(_ plan: MigrationPlan, reading former: StoreReading? = nil) throws(MigrationError) {
    let reading = plan.source.knownReading ?? former
    guard plan.route == nil else {
      let reason = "it has several steps; plan them one by one"
      throw .plan(.badPlan("the plan of \(plan.destination.store)", reason: reason))
    }
    do throws(StoreError) {
      store = try PersistentStore(path: plan.source.store)
    } catch {
      throw .plan(.store(error, path: plan.source.store))
    }
    let source: LocatedModel
    let through: [LocatedModel]
    let destination: LocatedModel
    do throws(PlanError) {
      source = try LocatedModel(plan.source.model, as: .source)
      through = try Self.located(plan.through ?? [])
      destination = try LocatedModel(plan.destination.model, as: .destination)
    } catch {
      throw .plan(error)
    }
    let identification = store.identification
    let progress = SourceReading(reading)
    self.reading = progress
    identity = Background { isStopped in
      Result { () throws(StoreError) in
        try identification.run(after: reading, isStopped: isStopped) { progress.note($0) }
      }
    }
    planned = plan.source.identity
    var changed: [String] = []
    if source.input.digest != plan.source.model.digest {
      changed.append("the source model \(plan.source.model.path) has changed")
    }
    for (found, planned) in zip(through, plan.through ?? [])
    where found.input.digest != planned.digest {
      changed.append("the model \(planned.path) on the way has changed")
    }
    if destination.input.digest != plan.destination.model.digest {
      changed.append("the destination model \(plan.destination.model.path) has changed")
    }
    guard changed.isEmpty else {
      throw Self.change(of: store, to: identity.value(), from: planned, with: changed)
        ?? .stalePlan(changed)
    }
    let models = [source] + through + [destination]
    guard plan.mappingOfEachStep.count == models.count - 1 else {
      let reason = "its mappings are not those of its steps"
      throw .plan(.badPlan("the plan of \(plan.destination.store)", reason: reason))
    }
    var steps: [MigrationStep] = []
    do throws(MigrationError) {
      for (index, mapping) in plan.mappingOfEachStep.enumerated() {
        steps.append(try Self.step(from: models[index], to: models[index + 1], mapping))
      }
    } catch {
      throw Self.change(of: store, to: identity.value(), from: planned) ?? error
    }
    do throws(PlanError) {
      work = try MigrationWork(store, steps, evaluates: plan.evaluates ?? false)
    } catch {
      throw Self.change(of: store, to: identity.value(), from: planned) ?? .plan(error)
    }
  }

  private static func located(
    _ inputs: [MigrationPlan.ModelInput]
  ) throws(PlanError) -> [LocatedModel] {
    var result: [LocatedModel] = []
    for input in inputs { result.append(try LocatedModel(input, as: .destination)) }
    return result
  }

  /// Waits until the source is read, and refuses it if it is not the one that was planned for.
  ///
  /// - Parameter meanwhile: Called regularly; what it throws ends the wait.
  /// - Throws: ``MigrationError/stalePlan(_:)``.
  func confirm(_ meanwhile: () throws -> Void) throws {
    let found = try identity.value(meanwhile)
    if let change = Self.change(of: store, to: found, from: planned) { throw change }
  }

  /// The error for the state in which a source was found.
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

  /// A step with its mapping read again, if that has not changed.
  private static func step(
    from source: LocatedModel,
    to destination: LocatedModel,
    _ planned: MigrationPlan.MappingInput
  ) throws(MigrationError) -> MigrationStep {
    let mapping =
      planned.files.isEmpty ? nil : try mapping(from: source, to: destination, planned)
    do throws(PlanError) {
      return try MigrationStep(from: source, to: destination, mapping: mapping?.model)
    } catch {
      throw .plan(error)
    }
  }

  private static func mapping(
    from source: LocatedModel,
    to destination: LocatedModel,
    _ planned: MigrationPlan.MappingInput
  ) throws(MigrationError) -> StepMapping {
    let name = planned.files.joined(separator: " and ")
    let found: StepMapping
    do throws(PlanError) {
      found = try StepMapping(try planned.file(), from: source, to: destination)
    } catch {
      // It was valid when the migration was planned.
      throw .stalePlan(["the mapping \(name) has changed: \(error)"])
    }
    guard found.digest == planned.digest else {
      throw .stalePlan(["the mapping \(name) has changed"])
    }
    return found
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
