internal import BulkMapping
internal import BulkModel
package import BulkStore

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

extension MigrationWork {
  package var metadata: StoreMetadata {
    let (model, hashes) = (step.destination.model, step.destination.versionHashes)
    let result = store.metadata.migrated(to: model, hashes: hashes)
    let fetches = step.keepsKeys && step.isMirrored && step.changesTables
    return fetches ? result.fetchingZones : result
  }
}
