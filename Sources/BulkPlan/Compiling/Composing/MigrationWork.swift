internal import BulkMapping
package import BulkModel
package import BulkStore

/// The work of a migration on a store: that of its steps, with the keys that objects get.
///
/// A plan describes it, and a run does it. Both derive it from the same inputs, so the plan file stays short
/// and readable.
@dynamicMemberLookup
package struct MigrationWork {
  package let store: PersistentStore
  package let step: StepWork

  /// Several steps are those of a leg of ``RouteFusion``.
  ///
  /// With `evaluates` values and filters of mapping models are evaluated even where SQL has the same meaning,
  /// as verification requires. Throws ``PlanError`` if the store is corrupt, or if the steps cannot be done as
  /// one.
  package init(
    _ store: PersistentStore,
    _ steps: [MigrationStep],
    evaluates: Bool = false
  ) throws(PlanError) {
    precondition(!steps.isEmpty, "a migration has at least one step")
    let outline = try PlanError.reading(store.path, try store.outline())
    try self.init(store, StepWork(steps, of: outline), evaluates: evaluates)
  }

  /// From the work on stores of its shape; throws ``PlanError`` if no keys are left.
  package init(
    _ store: PersistentStore,
    _ step: StepWork,
    evaluates: Bool = false
  ) throws(PlanError) {
    self.store = store
    var result = step
    if !step.keepsKeys {
      var options = step.options
      options.evaluates = evaluates
      // Verification sets them in the other way.
      options.linksInRows = !evaluates
      result.instances = try InstanceWork(
        step.mapping,
        from: step.layout.schema,
        to: step.destination,
        of: store,
        options: options
      )
      result.transfers = result.instances.transfers
    }
    self.step = result
  }

  package func ancillaryChanges() throws(StoreError) -> [AncillaryChange] {
    try step.unmanagedTables.ancillaryChanges(from: step.layout.schema, of: store)
  }

  /// Inlined, so that it is read where it lies.
  @inlinable package subscript<Value>(dynamicMember path: KeyPath<StepWork, Value>) -> Value {
    step[keyPath: path]
  }
}

extension MigrationStep {
  /// The renames of an inferred step that CloudKit's records do not follow, a phrase each (formats/migration.md 6.1).
  ///
  /// Records know entities, attributes and many-to-many relationships by name.
  package var mirroredRenames: [String] {
    guard isInferred else { return [] }
    return mapping.entityMappings.flatMap { maker -> [String] in
      guard let before = maker.sourceEntityName, let after = maker.destinationEntityName,
        let entity = source.entity(named: before)
      else { return [] }
      var result = before == after ? [] : ["entity \(before) to \(after)"]
      for property in maker.attributeMappings {
        guard case .copy(let name) = maker.attribute(property.name), name != property.name else {
          continue
        }
        result.append("attribute \(before).\(name) to \(property.name)")
      }
      for property in maker.relationshipMappings {
        guard let name = maker.relationship(property.name)?.continuedRelationship,
          name != property.name,
          let found = source.relationship(named: name, of: entity)?.relationship,
          found.isToMany, source.inverse(of: found)?.relationship.isToMany == true
        else { continue }
        result.append("relationship \(before).\(name) to \(property.name)")
      }
      return result
    }
  }
}

extension StepWork {
  var isMirrored: Bool { MirroringTables.areAmong(layout.unmanagedTables) }

  /// Whether tables of the model change or are removed, so that Core Data fetches all zones again
  /// (formats/migration.md 6.4).
  fileprivate var changesTables: Bool {
    let after =
      destination.entityTables.map { ($0.name, $0.columns.map(\.name)) }
      + destination.joinTables.map { ($0.name, $0.columns) }
    let before =
      layout.schema.entityTables.map { ($0.name, $0.columns.map(\.name)) }
      + layout.schema.joinTables.map { ($0.name, $0.columns) }
    return before.contains { table in
      !after.contains { $0.0 == table.0 && Set($0.1) == Set(table.1) }
    }
  }
}

extension StoreMetadata {
  /// The identifier of a store that is made from this one with one of its own, by the destination's version hashes.
  ///
  /// A resumed run gives the same; two configurations that a store is split into have different ones.
  package func newIdentifier(ofStoreWith hashes: [String: VersionHash]) -> String {
    let digest = Digest.text(of: Array((uuid + VersionHash.digest(of: hashes)).utf8)).uppercased()
    let parts = [(0, 8), (8, 12), (13, 16), (17, 20), (20, 32)].map { start, end in
      String(digest.dropFirst(start).prefix(end - start))
    }
    // A version and a variant, as RFC 9562 has them for identifiers that are made otherwise.
    return "\(parts[0])-\(parts[1])-8\(parts[2])-A\(parts[3])-\(parts[4])"
  }
}

extension MigrationWork {
  package var metadata: StoreMetadata {
    let (model, hashes) = (step.destination.model, step.destination.versionHashes)
    var result = store.metadata.migrated(to: model, hashes: hashes)
    if step.singleSteps.last?.takesNewIdentifier == true {
      result.uuid = store.metadata.newIdentifier(ofStoreWith: hashes)
    }
    let last = step.singleSteps.reversed().prefix(while: \.keepsVersion)
    let former = last.count == step.singleSteps.count ? result.appliedMappings : []
    let digests = last.reversed().filter { !$0.isInferred }.map(\.mapping.digest)
    result.appliedMappings = former + digests.filter { !former.contains($0) }
    let fetches = step.keepsKeys && step.isMirrored && step.changesTables
    return fetches ? result.fetchingZones : result
  }
}
