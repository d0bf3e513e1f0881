package import BulkModel

extension MappingResolution {
  /// Keeps what is about the entities of a part of either model.
  ///
  /// An entity mapping between an entity of the part and one that is stored elsewhere is left out with a
  /// warning: a migration reads one store and makes one store.
  ///
  /// - Parameters:
  ///   - source: The part of the source model that the store holds.
  ///   - destination: The part of the destination model that the new store holds.
  package mutating func restrict(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    var kept: [EntityMapping] = []
    for mapping in model.entityMappings {
      let reads = mapping.sourceEntityName.map { source.entity(named: $0) != nil }
      let makes = mapping.destinationEntityName.map { destination.entity(named: $0) != nil }
      if reads ?? true, makes ?? true {
        kept.append(mapping)
      } else if reads == true, let name = mapping.destinationEntityName {
        warnings.append(
          "entity mapping \(mapping.name) makes objects of \(name), which another store has; it is left out"
        )
      } else if makes == true, let name = mapping.sourceEntityName {
        warnings.append(
          "entity mapping \(mapping.name) reads objects of \(name), which another store has; it is left out"
        )
      }
    }
    guard kept.count < model.entityMappings.count else { return }
    model.entityMappings = kept
    passes = passes.compactMap { $0.keeping(kept) }
  }
}

extension PassRequest {
  /// The same pass with those of its entity mappings that remain; `nil` if none does.
  fileprivate func keeping(_ mappings: [EntityMapping]) -> PassRequest? {
    let own = mappings.filter { entityMappings.contains($0.name) }
    return own.isEmpty ? nil : PassRequest(name, isWhole: isWhole, own)
  }
}
