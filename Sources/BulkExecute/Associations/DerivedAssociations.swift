package import BulkLowering
internal import BulkMapping
internal import BulkModel
package import BulkStore

/// The associations that follow from the work alone, so that no table records them.
///
/// The work assigns every entity mapping a range of keys in its destination table, and the key of an object is
/// that of its source object, moved into this range. Ranges do not overlap, and mappings that share one read
/// different entities, so a key has at most one source object and one mapping. The objects of policies and of
/// elements have other keys; ``AssociationTables`` record these.
package struct DerivedAssociations {
  private let mappings: [InstanceMapping]
  private let lookup: RowLookup

  package init(_ work: MigrationWork, _ session: StoreSession) {
    mappings = work.instances.creations.map(\.mapping).filter(\.derivesKeys)
    lookup = RowLookup(session)
  }

  /// The key of the object that a mapping makes from a source object; `nil` if it reads no such object.
  func object(of source: Int64, by mapping: InstanceMapping) throws(StoreError) -> Int64? {
    guard let object = mapping.derivedKey(of: source), try reads(source, mapping) else {
      return nil
    }
    return object
  }

  /// The key of the source object from which a mapping makes an object; `nil` if it does not make it.
  func source(of object: Int64, by mapping: InstanceMapping) throws(StoreError) -> Int64? {
    guard let source = mapping.sourceKey(ofDerived: object), try reads(source, mapping) else {
      return nil
    }
    return source
  }

  /// The source object of an existing object of the destination, and its mapping; `nil` if its key was not
  /// derived.
  package func origin(of entity: String, _ key: Int64) throws(StoreError) -> ObjectOrigin? {
    for mapping in mappings where mapping.destination.name == entity {
      guard let source = try source(of: key, by: mapping) else { continue }
      return mapping.origin(of: source)
    }
    return nil
  }

  private func reads(_ key: Int64, _ mapping: InstanceMapping) throws(StoreError) -> Bool {
    try lookup.entity(ofSourceRow: key, in: mapping.sourceTable) == mapping.sourceNumber
  }
}

extension InstanceMapping {
  func origin(of key: Int64) -> ObjectOrigin {
    ObjectOrigin(mapping: mapping.name, entity: source.name, key: key)
  }
}

/// The keys of the objects that one mapping makes, as they follow from those of its source objects.
///
/// It is small, so a loop over millions of links needs only one.
struct DerivedKeys {
  private let sourceNumber: Int64
  private let offset: Int64

  init(_ mapping: InstanceMapping) {
    sourceNumber = mapping.sourceNumber
    offset = mapping.keyOffset
  }

  /// `nil` if the mapping reads no objects of the entity with the number.
  func object(of source: Int64, ofEntity number: Int64) -> Int64? {
    number == sourceNumber ? object(of: source) : nil
  }

  func object(of source: Int64) -> Int64 { source &+ offset }
}
