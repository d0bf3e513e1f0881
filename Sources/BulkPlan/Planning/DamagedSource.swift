internal import BulkStore
internal import BulkVersions

/// Plans for a source with pages that cannot be read, as if it did not have their rows.
struct DamagedSource {
  /// The source.
  private let path: String
  private let pages: [UnreadablePages.Page]

  /// Looks for the pages that made planning fail; `nil` if it failed for another reason, or if the source cannot be
  /// read without some pages.
  ///
  /// - Parameter error: What planning failed with.
  init?(_ error: PlanError) {
    guard case .badStore(let path, _, false) = error,
      !UnreadablePages.areSkipped(in: path),
      let pages = (try? UnreadablePages.search(in: path)) ?? nil
    else { return nil }
    (self.path, self.pages) = (path, pages)
  }

  /// Plans again, and says in the plan what cannot be read.
  ///
  /// - Throws: ``PlanError`` if the source cannot be planned for without these pages either.
  func plan(
    _ body: () throws(PlanError) -> MigrationPlan
  ) throws(PlanError) -> MigrationPlan {
    let skipped = try MigrationPlan.skippingPages(pages, of: path)
    var plan = try body()
    withExtendedLifetime(skipped) {}
    let damage = pages.map { MigrationPlan.DamagedPage($0) }
    plan.damage = damage
    plan.warnings = Self.warnings(damage) + plan.warnings
    plan.fingerprint = plan.computedFingerprint
    return plan
  }

  /// The most pages that are named.
  private static let shown = 10

  private static func warnings(_ damage: [MigrationPlan.DamagedPage]) -> [String] {
    let named = damage.prefix(shown).map {
      "\($0) cannot be read; a run with --on-error quarantine leaves these rows out"
    }
    let rest = damage.count - named.count
    return named + (rest > 0 ? ["\(rest) more pages cannot be read; the plan lists them"] : [])
  }
}
