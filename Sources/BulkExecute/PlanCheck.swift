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
      source = try LocatedModel(plan.source.model)
      destination = try LocatedModel(plan.destination.model)
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
    do throws(PlanError) {
      work = try MigrationWork(store, from: source.model, to: destination.model)
    } catch {
      throw .plan(error)
    }
  }
}
