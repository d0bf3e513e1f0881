package import BulkMapping

/// The policies that a migration may use, by the names of their classes, and the transformers.
package struct PolicyRegistry: Sendable {
  private let policies: NamedPlugIns<any EntityMigrationPolicy>
  package var byName: [String: any EntityMigrationPolicy] { policies.byName }
  package let transformers: TransformerRegistry

  /// By class name, with or without a module: `Notes.SplitName` or `SplitName`.
  package init(
    _ policies: [String: any EntityMigrationPolicy] = [:],
    transformers: [String: any AttributeTransformer] = [:]
  ) {
    self.policies = NamedPlugIns(policies)
    self.transformers = TransformerRegistry(transformers)
  }

  /// Found by its full name first, then without the module.
  package func policy(named name: String) -> (any EntityMigrationPolicy)? {
    policies.plugIn(named: name)
  }

  package func hasTransformer(named name: String) -> Bool {
    transformers.plugIn(named: name) != nil
  }

  package var names: [String] { policies.names }
}

extension PolicyRegistry {
  /// Throws ``MigrationError/policy(_:)`` with the expression that needs the transformer.
  func refuseMissingTransformers(of mapping: MappingModel) throws(MigrationError) {
    for needed in mapping.transformers where transformers.plugIn(named: needed.name) == nil {
      let known = transformers.names
      throw .policy(
        "there is no transformer \(needed.name), which entity mapping \(needed.mapping), "
          + "\(needed.property), needs; "
          + (known.isEmpty
            ? "this program has none" : "known are \(known.joined(separator: ", "))")
      )
    }
  }
}
