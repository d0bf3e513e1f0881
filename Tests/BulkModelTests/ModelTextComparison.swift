import BulkModel

extension ManagedObjectModel {
  /// What differs in any setting, as lines of text, for messages of failed tests.
  func differences(from other: ManagedObjectModel) -> [String] {
    guard self != other else { return [] }
    var lines: [String] = []
    for entity in entities {
      guard let counterpart = other.entity(named: entity.name) else {
        lines.append("\(entity.name) is new")
        continue
      }
      for (mine, theirs) in zip(entity.texts, counterpart.texts) where mine != theirs {
        lines.append("\(entity.name): \(mine) is not \(theirs)")
      }
    }
    return lines.isEmpty ? ["the models differ outside of their entities"] : lines
  }
}

extension EntityDescription {
  fileprivate var texts: [String] {
    var bare = self
    bare.attributes = []
    bare.relationships = []
    return ["\(bare)"] + attributes.map { "\($0)" } + relationships.map { "\($0)" }
  }
}
