public import BulkMapping

/// The policies that a migration may use, by the names of their classes, and the transformers.
public struct PolicyRegistry: Sendable {
  private let policies: NamedPlugIns<any EntityMigrationPolicy>
  /// The transformers of transformable attributes.
  public let transformers: TransformerRegistry

  /// Registers policies by class name, with or without a module: `Notes.SplitName` or `SplitName`.
  public init(
    _ policies: [String: any EntityMigrationPolicy] = [:],
    transformers: [String: any AttributeTransformer] = [:]
  ) {
    self.policies = NamedPlugIns(policies)
    self.transformers = TransformerRegistry(transformers)
  }

  /// The policy of a class, found by its full name first, then without the module.
  public func policy(named name: String) -> (any EntityMigrationPolicy)? {
    policies.plugIn(named: name)
  }

  /// Whether there is a transformer of a name.
  public func hasTransformer(named name: String) -> Bool {
    transformers.transformer(named: name) != nil
  }

  /// The names of the policies, sorted.
  public var names: [String] { policies.names }
}
