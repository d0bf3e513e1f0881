internal import BulkPlan
internal import BulkStore

/// Reports the pages of the source that cannot be read.
enum DamageFindings {
  /// The findings, one for each page.
  static func findings(_ plan: MigrationPlan, _ schema: StoreSchema) -> [PreflightFinding] {
    (plan.damage ?? []).map { page in
      let entity =
        schema.entityTable(named: page.table)?.root
        ?? schema.joinTables.first { $0.name == page.table }?.owner.entity ?? page.table
      return PreflightFinding(
        .damagedPage,
        of: entity,
        rule: "\(page) cannot be read",
        count: 1,
        outcome: .leftOut
      )
    }
  }
}
