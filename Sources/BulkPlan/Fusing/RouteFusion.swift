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
    var work: FusedWork?
    for hop in hops {
      var boundary: [String] = []
      if let last = legs.last?.hops.last {
        switch try Self.joined(work, last, hop, isOn: isOn) {
        case .success(let longer):
          work = longer
          legs[legs.count - 1].hops.append(hop)
          continue
        case .failure(let barrier): boundary = barrier.reasons
        }
        if let made = work {
          version = try made.outline()
        } else {
          version = try .fresh(of: last, after: version)
        }
      }
      legs.append(MigrationLeg(hops: [hop], boundary: boundary))
      work = hop.mapping == nil ? try FusedWork(hop, of: version) : nil
    }
  }

  private static func joined(
    _ work: FusedWork?,
    _ last: MigrationHop,
    _ hop: MigrationHop,
    isOn: Bool
  ) throws(PlanError) -> Result<FusedWork, FusionBarrier> {
    guard isOn else {
      return .failure(FusionBarrier("steps are done one by one, as was asked for"))
    }
    guard let work else {
      return .failure(FusionBarrier("a mapping model makes the objects of \(last.name) anew"))
    }
    return try work.followed(by: hop)
  }
}

extension StoreOutline {
  /// What a store looks like whose objects a mapping model made, without what no model explains.
  fileprivate static func fresh(
    of hop: MigrationHop,
    after before: StoreOutline
  ) throws(PlanError) -> StoreOutline {
    let path = "version \(hop.name) of \(before.path)"
    let schema = StoreSchema(
      hop.destination,
      naming: JoinTableNaming(frameworkVersion: before.frameworkVersion)
    )
    do throws(StoreError) {
      let writer = try StoreWriter(inMemoryFor: path)
      for table in schema.entityTables { try writer.create(SchemaSQL.create(table)) }
      for table in schema.joinTables { try writer.create(SchemaSQL.create(table)) }
      for index in schema.indexes { try writer.create(index.sql) }
      return StoreOutline(
        path: path,
        frameworkVersion: before.frameworkVersion,
        schema: try writer.schema(),
        primaryKeys: schema.primaryKeyEntries { _ in 0 }
      )
    } catch {
      throw .store(error, path: path)
    }
  }
}
