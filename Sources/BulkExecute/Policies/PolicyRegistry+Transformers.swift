internal import BulkMapping

extension PolicyRegistry {
  /// Refuses to begin without a transformer that expressions ask.
  ///
  /// - Throws: ``MigrationError/policy(_:)`` with what needs it.
  func refuseMissingTransformers(of mapping: MappingModel) throws(MigrationError) {
    for needed in mapping.transformers where transformers.transformer(named: needed.name) == nil {
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
