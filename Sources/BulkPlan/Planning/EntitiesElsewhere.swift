internal import BulkModel
internal import BulkVersions

extension LocatedModel {
  /// The entities that its configuration leaves to other stores, in code-unit order; `nil` where none restricts
  /// it.
  var elsewhere: [MigrationPlan.EntityElsewhere]? {
    guard input.configuration != nil else { return nil }
    let configurations = whole.configurations
    let names = configurations.keys.sortedByCodeUnit()
    return whole.entities.map(\.name).filter { model.entity(named: $0) == nil }.sortedByCodeUnit()
      .map { entity in
        MigrationPlan.EntityElsewhere(
          entity: entity,
          configurations: names.filter { configurations[$0]?.contains(entity) ?? false }
        )
      }
  }
}
