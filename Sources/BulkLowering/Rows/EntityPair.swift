internal import BulkMapping
internal import BulkModel

/// A source entity with objects of its own, and the destination entity that they become.
struct EntityPair: Sendable {
  /// How the objects become what they become.
  let mapping: EntityMapping
  /// The source entity.
  let source: EntityDescription
  /// Its number in the source store.
  let sourceNumber: Int64
  /// The destination entity.
  let destination: EntityDescription
  /// Its number in the destination store.
  let destinationNumber: Int64
}
