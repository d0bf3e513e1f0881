internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Compares a plan with what is there now.
struct PlanCheck {
  /// The store, open, in the state that was planned for.
  let store: PersistentStore
  /// The work that the plan tells of.
  let work: MigrationWork

  /// Opens the inputs of a plan and checks that they are what they were.
  ///
  /// - Throws: ``MigrationError/stalePlan(_:)`` with everything that is not.
  init(_ plan: MigrationPlan) throws(MigrationError) {
    let identity: StoreIdentity
    do throws(StoreError) {
      store = try PersistentStore(path: plan.source.store)
      identity = try store.identity()
    } catch {
      throw .plan(.store(error, path: plan.source.store))
    }
    let source: LocatedModel
    let destination: LocatedModel
    do throws(PlanError) {
      source = try LocatedModel(plan.source.model, as: .source)
      destination = try LocatedModel(plan.destination.model, as: .destination)
    } catch {
      throw .plan(error)
    }
    var changed: [String] = []
    if identity.text != plan.source.identity {
      changed.append("the source store \(plan.source.store) has changed")
    }
    if source.input.digest != plan.source.model.digest {
      changed.append("the source model \(plan.source.model.path) has changed")
    }
    if destination.input.digest != plan.destination.model.digest {
      changed.append("the destination model \(plan.destination.model.path) has changed")
    }
    guard changed.isEmpty else { throw .stalePlan(changed) }
    let mapping = try Self.mapping(of: plan, from: source.model, to: destination.model)
    do throws(PlanError) {
      work = try MigrationWork(
        store,
        from: source.model,
        to: destination.model,
        mapping: mapping
      )
    } catch {
      throw .plan(error)
    }
  }

  /// The mapping that was planned with, read again.
  private static func mapping(
    of plan: MigrationPlan,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) throws(MigrationError) -> MappingModel? {
    guard let path = plan.mapping.path else { return nil }
    let input: MappingInput
    do throws(PlanError) {
      input = try MappingInput(MappingFile.planned(path), from: source, to: destination)
    } catch {
      // It was sound when it was planned with.
      throw .stalePlan(["the mapping \(path) has changed: \(error)"])
    }
    guard input.digest == plan.mapping.digest else {
      throw .stalePlan(["the mapping \(path) has changed"])
    }
    return input.model
  }
}
