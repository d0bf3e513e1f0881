/// Whether a model can open a store, by the version hashes of the entities.
public struct ModelCompatibility: Hashable, Sendable {
  /// The entities that both have, with different hashes, in code-unit order.
  public let differingEntities: [String]
  /// The entities that the store has and the model lacks, in code-unit order.
  public let missingEntities: [String]
  /// The entities that the model has and the store lacks, in code-unit order.
  public let additionalEntities: [String]

  /// Compares a store's hashes with a model.
  public init(storeHashes: [String: VersionHash], model: ManagedObjectModel) {
    self.init(storeHashes: storeHashes, modelHashes: model.entityVersionHashesByName)
  }

  /// Compares a store's hashes with those of a model.
  public init(storeHashes: [String: VersionHash], modelHashes: [String: VersionHash]) {
    differingEntities =
      modelHashes.filter { name, hash in storeHashes[name].map { $0 != hash } ?? false }
      .keys.sortedByCodeUnit()
    missingEntities = storeHashes.keys.filter { modelHashes[$0] == nil }.sortedByCodeUnit()
    additionalEntities = modelHashes.keys.filter { storeHashes[$0] == nil }.sortedByCodeUnit()
  }

  /// Whether the model can open the store.
  public var isCompatible: Bool {
    differingEntities.isEmpty && missingEntities.isEmpty && additionalEntities.isEmpty
  }

  /// The differences, a line for each entity.
  public var differences: [String] {
    missingEntities.map { "\($0): in the store, not in the model" }
      + additionalEntities.map { "\($0): in the model, not in the store" }
      + differingEntities.map { "\($0): the version hashes differ" }
  }
}
