internal import BulkLowering

extension EntitySuccession {
  /// The change to the objects of the entity, given their number.
  func change(rows: Int64) -> MigrationPlan.EntityChange {
    let changes = steps.map { $0.change(rows: rows) }
    guard changes.count > 1 else { return changes[0] }
    guard let source else {
      return MigrationPlan.EntityChange(entity: destination ?? changes[0].entity, change: .added)
    }
    guard let destination else {
      return MigrationPlan.EntityChange(
        entity: source,
        change: .removed,
        rows: rows,
        rowsLost: rows
      )
    }
    let details = zip(steps, changes).flatMap { step, change in
      change.details.map { "\(step.step.name): \($0)" }
    }
    return MigrationPlan.EntityChange(
      entity: destination,
      from: source == destination ? nil : source,
      change: source != destination ? .renamed : details.isEmpty ? .copied : .transformed,
      rows: rows,
      details: details
    )
  }
}

extension EntitySuccession.Step {
  fileprivate func change(rows: Int64) -> MigrationPlan.EntityChange {
    step.isInferred
      ? EntityChanges(from: step.source, to: step.destination).change(mapping, rows: rows)
      : MappedChanges(from: step.source, to: step.destination).change(mapping, rows: rows)
  }
}
