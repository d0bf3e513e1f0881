package import BulkStore

/// Groups the steps of a migration into legs.
///
/// A step joins the leg before it as long as the outcome is, byte for byte, that of single steps. Where it
/// would differ, or where that cannot be proven, the version between is made, and a new leg begins.
package struct RouteFusion: Sendable {
  package private(set) var legs: [MigrationPlan.Leg] = []

  /// Decides from the models and from the tables of the store; no row is read.
  package init(
    _ steps: [MigrationStep],
    of store: PersistentStore,
    isOn: Bool = true
  ) throws(PlanError) {
    var version = try PlanError.reading(store.path, try store.outline())
    var work: StepWork?
    for step in steps {
      var boundary: [String] = []
      if let last = work {
        let alone = FusionBarrier("steps are done one by one, as requested")
        switch isOn ? try last.followed(by: step) : .failure(alone) {
        case .success(let longer):
          work = longer
          legs[legs.count - 1].steps += 1
          continue
        case .failure(let barrier): boundary = barrier.reasons
        }
        version = try last.outline()
      }
      legs.append(MigrationPlan.Leg(steps: 1, boundary: boundary))
      work = try StepWork(step, of: version)
    }
  }
}
