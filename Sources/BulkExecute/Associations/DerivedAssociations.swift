package import BulkPlan
internal import BulkMapping
internal import BulkModel
package import BulkStore

// The associations that follow from the work alone, so that no table records them.
//
// The work assigns every entity mapping a range of keys in its destination table, and the key of an object is
// that of its source object, moved into this range. Ranges do not overlap, and mappings that share one read
// different entities, so a key has at most one source object and one mapping. The objects of policies and of
// elements have other keys; ``AssociationTables`` record these.

extension InstanceMapping {
  /// The key of the object that is made from a source object; `nil` if the mapping reads no such object.
  func object(of source: Int64, _ lookup: RowLookup) throws(StoreError) -> Int64? {
    guard let object = derivedKey(of: source), try reads(source, lookup) else { return nil }
    return object
  }

  /// The key of the source object from which an object is made; `nil` if the mapping does not make it.
  func source(of object: Int64, _ lookup: RowLookup) throws(StoreError) -> Int64? {
    guard let source = sourceKey(ofDerived: object), try reads(source, lookup) else { return nil }
    return source
  }

  private func reads(_ key: Int64, _ lookup: RowLookup) throws(StoreError) -> Bool {
    try lookup.entity(ofSourceRow: key, in: sourceTable) == sourceNumber
  }

  func origin(of key: Int64) -> ObjectOrigin {
    ObjectOrigin(mapping: mapping.name, entity: source.name, key: key)
  }
}

extension MigrationWork {
  /// The source object of an existing object of the destination, and its mapping; `nil` if its key was not
  /// derived.
  package func origin(
    of entity: String,
    _ key: Int64,
    _ lookup: RowLookup
  ) throws(StoreError) -> ObjectOrigin? {
    for mapping in step.instances.creations.map(\.mapping)
    where mapping.derivesKeys && mapping.destination.name == entity {
      if let source = try mapping.source(of: key, lookup) { return mapping.origin(of: source) }
    }
    return nil
  }
}
