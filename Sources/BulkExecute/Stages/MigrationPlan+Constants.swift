package import BulkMapping
package import BulkPlan

extension MigrationPlan {
  /// What is the same for expressions in every row, however often the run is interrupted.
  package var constants: RunConstants {
    RunConstants(now: mappingOfEachStep.lazy.compactMap(\.now).first ?? 0, randomSeed: 1)
  }
}
