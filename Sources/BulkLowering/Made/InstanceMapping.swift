package import BulkMapping
package import BulkModel

/// An entity mapping that makes objects, with its entities and the keys that it gives.
package struct InstanceMapping: Sendable {
  /// The mapping's index in its mapping model, which identifies its association table.
  package let index: Int
  /// The mapping.
  package let mapping: EntityMapping
  /// The entity whose objects are read.
  package let source: EntityDescription
  /// Its number in the source store.
  package let sourceNumber: Int64
  /// Its table there.
  package let sourceTable: String
  /// The entity whose objects are made.
  package let destination: EntityDescription
  /// Its number in the destination store.
  package let destinationNumber: Int64
  /// Its table there.
  package let destinationTable: String
  /// The offset from a source key to the key of the object made from it.
  package let keyOffset: Int64

  /// Whether a policy makes the objects.
  package var hasPolicy: Bool { mapping.entityMigrationPolicyClassName != nil }

  /// Whether its associations must be recorded, because they do not follow from the keys alone.
  package var isRecorded: Bool {
    mapping.filter != nil || hasPolicy
  }
}
