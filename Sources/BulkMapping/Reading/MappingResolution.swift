/// A mapping model between two models, and what it was made from.
package struct MappingResolution {
  /// The mapping model, which is valid only if there are no errors.
  package internal(set) var model: MappingModel
  /// Warnings, a sentence each.
  package internal(set) var warnings: [String]
  /// The passes that the files ask for, in order; empty where the plan alone decides.
  package internal(set) var passes: [PassRequest]
  /// What the first entity mappings of the model were made from, in their order.
  let items: [MappingItem]
  /// The errors, by the index of their file among ``MappingFile/members``.
  let faults: [[DraftFault]]
}

/// Entity mappings that are carried out apart from all others.
package struct PassRequest: Hashable, Sendable {
  /// The name of the pass, or of the file whose passes these are.
  package let name: String
  /// Whether they are one pass; otherwise they are divided where no relationship connects them.
  package let isWhole: Bool
  /// The names of the entity mappings.
  package let entityMappings: Set<String>
  /// The destination entities whose objects they make.
  package let destinations: Set<String>

  init(_ name: String, isWhole: Bool, _ mappings: [EntityMapping]) {
    self.name = name
    self.isWhole = isWhole
    entityMappings = Set(mappings.map(\.name))
    destinations = Set(mappings.compactMap(\.destinationEntityName))
  }
}
