package import BulkMapping
package import BulkPlan

extension MigrationPlan {
  /// What is the same for expressions in every row, however often the run is interrupted.
  ///
  /// - Parameter transformers: The transformers of the program.
  /// - Returns: The constants.
  package func constants(_ transformers: TransformerRegistry) -> RunConstants {
    RunConstants(
      now: mappingOfEachStep.lazy.compactMap(\.now).first ?? 0,
      randomSeed: 1,
      transformers: transformers
    )
  }
}
