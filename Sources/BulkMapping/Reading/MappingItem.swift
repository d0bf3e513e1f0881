internal import BulkModel

/// An entity mapping of a file, with the entities that it names.
struct MappingItem {
  let draft: EntityMappingDraft
  var mapping: EntityMapping
  let source: EntityDescription?
  let destination: EntityDescription?
  /// Whether all entities that it names exist.
  let isSound: Bool
}
