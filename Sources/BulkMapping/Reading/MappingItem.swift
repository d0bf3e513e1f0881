internal import BulkModel

/// An entity mapping of a file, with what it names.
struct MappingItem {
  let draft: EntityMappingDraft
  var mapping: EntityMapping
  let source: EntityDescription?
  let destination: EntityDescription?
  /// Whether all entities that it names are there.
  let isSound: Bool
}
