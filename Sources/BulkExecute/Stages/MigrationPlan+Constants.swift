internal import BulkMapping
internal import BulkPlan

extension MigrationPlan {
  /// What is the same for expressions in every row, however often the run is interrupted.
  var constants: RunConstants {
    RunConstants(now: mappingOfEachStep.lazy.compactMap(\.now).first ?? 0, randomSeed: 1)
  }
}
