package import BulkMapping
package import BulkModel
internal import BulkStore

/// An entity mapping whose objects have objects of their own in the source, with its entities and the keys that it gives.
package struct InstanceMapping: Sendable {
  /// Where it makes new objects, it identifies the association table.
  package let index: Int
  package let mapping: EntityMapping
  package let source: EntityDescription
  package let sourceNumber: Int64
  package let sourceTable: String
  package let destination: EntityDescription
  package let destinationNumber: Int64
  package let destinationTable: String
  /// Added to a source key to get that of its object, where that follows from it.
  package let keyOffset: Int64
  /// `nil` if the keys of its objects do not follow from them, if they are not known, or there are none.
  package let sourceKeys: ClosedRange<Int64>?
  /// The index of the first mapping that shares its objects.
  package internal(set) var firstSharing: Int

  /// Keys are kept unless others are given.
  init(
    _ mapping: EntityMapping,
    from source: (entity: EntityDescription, schema: StoreSchema),
    to destination: (entity: EntityDescription, schema: StoreSchema),
    index: Int,
    keyOffset: Int64 = 0,
    sourceKeys: ClosedRange<Int64>? = nil
  ) {
    (self.index, firstSharing, self.mapping) = (index, index, mapping)
    (self.source, self.destination) = (source.entity, destination.entity)
    sourceNumber = source.schema.numbering.number(of: source.entity.name)
    sourceTable = source.schema.table(of: source.entity).name
    destinationNumber = destination.schema.numbering.number(of: destination.entity.name)
    destinationTable = destination.schema.table(of: destination.entity).name
    (self.keyOffset, self.sourceKeys) = (keyOffset, sourceKeys)
  }

  /// `nil` where ``sourceKeys`` is.
  package var keys: ClosedRange<Int64>? {
    sourceKeys.map { $0.lowerBound + keyOffset...$0.upperBound + keyOffset }
  }

  package var hasPolicy: Bool { mapping.entityMigrationPolicyClassName != nil }

  /// Where associations do not follow from the keys alone.
  package var isRecorded: Bool {
    mapping.filter != nil || hasPolicy || isMerging || isDividing
  }

  /// Whether every source object becomes an object.
  package var isSure: Bool { mapping.filter == nil && !hasPolicy && !isDividing }

  /// Whether several source objects may become one object.
  package var isMerging: Bool { mapping.uniqueness != nil }

  /// Whether a source object may become any number of objects.
  package var isDividing: Bool { mapping.elements != nil }
  package var derivesKeys: Bool { !hasPolicy && !isDividing }

  /// `nil` if the key exceeds all keys.
  package func derivedKey(of source: Int64) -> Int64? {
    let (key, isTooFar) = source.addingReportingOverflow(keyOffset)
    return isTooFar ? nil : key
  }

  /// `nil` if the key exceeds all keys.
  package func sourceKey(ofDerived key: Int64) -> Int64? {
    let (source, isTooFar) = key.subtractingReportingOverflow(keyOffset)
    return isTooFar ? nil : source
  }

  package func shares(with other: InstanceMapping) -> Bool {
    guard let rule = mapping.uniqueness, let theirs = other.mapping.uniqueness else { return false }
    return destination.name == other.destination.name && rule.isShared(with: theirs)
  }
}
