internal import BulkStore

/// What one step does to a store, or several that are done as one.
enum LegWork: Sendable {
  /// All steps are inferred: the store is changed as in place.
  case inPlace(FusedWork)
  /// A step has a mapping model: objects are made anew.
  case mapped(MappedWork)

  /// The work of one step.
  ///
  /// - Throws: ``PlanError`` if the store does not fit the model, if nothing can be inferred where no
  ///   mapping is given, or if the mapping cannot be carried out.
  init(_ hop: MigrationHop, of store: StoreOutline) throws(PlanError) {
    if let mapping = hop.mapping {
      self = .mapped(try MappedWork(hop, mapping, of: store))
    } else {
      self = .inPlace(try FusedWork(hop, of: store))
    }
  }

  /// The work of several steps.
  ///
  /// - Throws: ``PlanError/cannotFuse(_:)`` if they cannot be done as one.
  init(_ hops: [MigrationHop], of store: StoreOutline) throws(PlanError) {
    var work = try LegWork(hops[0], of: store)
    for hop in hops.dropFirst() {
      switch try work.followed(by: hop) {
      case .success(let longer): work = longer
      case .failure(let barrier): throw .cannotFuse(barrier.reasons)
      }
    }
    self = work
  }

  /// What the store that is made looks like.
  func outline() throws(PlanError) -> StoreOutline {
    switch self {
    case .inPlace(let work): try work.outline()
    case .mapped(let work): try work.outline()
    }
  }

  /// The work with a further step, done as one.
  ///
  /// - Returns: The work, or why the last version must be made before the step.
  /// - Throws: ``PlanError`` if the step cannot be done at all.
  func followed(by hop: MigrationHop) throws(PlanError) -> Result<LegWork, FusionBarrier> {
    if case .inPlace(let work) = self, hop.mapping == nil {
      return try work.followed(by: hop).map(LegWork.inPlace)
    }
    return try LegComposition(self, hop).work().map(LegWork.mapped)
  }
}
