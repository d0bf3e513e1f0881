internal import BulkLowering
internal import BulkPlan
internal import BulkStore

extension Migration {
  /// The pages of the source that cannot be read, and its rows of no entity, which are skipped, or the copy that is read
  /// in its place; `nil` without any, or once all is done.
  ///
  /// - Throws: ``MigrationError/damagedSource(path:reason:)`` unless objects may be left out,
  ///   ``MigrationError/tooManyRejects(_:limit:of:)``, and any error that prevents the run from starting.
  func skippingDamage(_ start: Start) throws -> UnreadablePages? {
    guard Receipt.outcome(of: plan, in: stateLocation) == nil else { return skipped }
    if plan.source.corrections != nil, skipped == nil {
      throw MigrationError.stalePlan([
        "it brings in corrected objects, whose values only a replay reads; type the rejects replay again"
      ])
    }
    guard plan.readsCopy else { return skipped }
    try refuse(start)
    if let damage = plan.damage { try refuse(damage) }
    if let skipped { return skipped }
    return try MigrationError.planning(try plan.skippingDamage())
  }

  private func refuse(_ damage: [MigrationPlan.DamagedPage]) throws(MigrationError) {
    guard let first = damage.first else { return }
    guard settings.rejects.action.leavesOut else {
      let others = damage.count > 1 ? " and \(damage.count - 1) more" : ""
      throw MigrationError.damagedSource(
        path: plan.source.store,
        reason: "\(first)\(others) cannot be read; --on-error quarantine leaves these rows out"
      )
    }
    let count = plan.unreadableRows
    guard settings.rejects.limit.allows(count, of: plan.rows) else {
      throw MigrationError.tooManyRejects(count, limit: settings.rejects.limit, of: plan.rows)
    }
  }

  /// Refuses to leave out objects that lead to a row of a page that cannot be read, where rows get
  /// new keys: the references are lost when the objects are made.
  func refuseDependantsOfDamage(_ work: MigrationWork) throws(MigrationError) {
    guard plan.damage != nil, settings.rejects.dependants == .reject, work.made != nil else {
      return
    }
    throw .damagedSource(
      path: plan.source.store,
      reason: "which objects lead to rows of its damaged pages is not known; "
        + "use --dependants nullify"
    )
  }
}
