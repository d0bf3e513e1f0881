package import BulkStore

/// Decides which steps of a migration are done as one.
///
/// A step joins those before it as long as the outcome is, byte for byte, what one step after the other
/// would give. Where it would not be, or where that cannot be told beforehand, the version between is
/// made, and a new leg begins with it.
package struct RouteFusion: Sendable {
  /// The legs, in their order.
  package private(set) var legs: [MigrationLeg] = []

  /// Decides from the models and from the tables of the store; no row is read.
  ///
  /// - Parameters:
  ///   - hops: The steps, the first from the model of the store.
  ///   - store: The store.
  ///   - isOn: Whether steps are done as one at all.
  /// - Throws: ``PlanError`` if the store does not fit, or if a step cannot be inferred.
  package init(
    _ hops: [MigrationHop],
    of store: PersistentStore,
    isOn: Bool = true
  ) throws(PlanError) {
    var version: StoreOutline
    do throws(StoreError) {
      version = try store.outline()
    } catch {
      throw .store(error, path: store.path)
    }
    var work: LegWork?
    for hop in hops {
      var boundary: [String] = []
      if let last = work {
        switch try Self.joined(last, hop, isOn: isOn) {
        case .success(let longer):
          work = longer
          legs[legs.count - 1].hops.append(hop)
          continue
        case .failure(let barrier): boundary = barrier.reasons
        }
        version = try last.outline()
      }
      legs.append(MigrationLeg(hops: [hop], boundary: boundary))
      work = try LegWork(hop, of: version)
    }
  }

  private static func joined(
    _ work: LegWork,
    _ hop: MigrationHop,
    isOn: Bool
  ) throws(PlanError) -> Result<LegWork, FusionBarrier> {
    guard isOn else {
      return .failure(FusionBarrier("steps are done one by one, as was asked for"))
    }
    return try work.followed(by: hop)
  }
}
