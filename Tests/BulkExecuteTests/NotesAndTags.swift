import BulkModel
import BulkTestSupport

extension ManagedObjectModel {
  /// Notes and tags without attributes, which are related as it is said.
  static func notes(
    _ relationships: RelationshipDescription...,
    tags inverses: RelationshipDescription...
  ) throws -> ManagedObjectModel {
    try .of(
      EntityDescription("Note", [], relationships),
      EntityDescription("Tag", [], inverses)
    )
  }
}

extension TestStore {
  /// A store of notes, by their keys with those of their tags, and of tags.
  init(
    _ model: ManagedObjectModel,
    notes: KeyValuePairs<Int64, [Int64]>,
    tags: [Int64]
  ) {
    self.init(model)
    objects = notes.map { TestObject("Note", $0.key, links: ["tags": $0.value]) }
    objects += tags.map { TestObject("Tag", $0) }
  }
}
