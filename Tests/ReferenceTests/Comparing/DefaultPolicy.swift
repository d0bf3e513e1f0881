import BulkExecute
import BulkMapping

/// A policy that does what is done without one.
struct DefaultPolicy: EntityMigrationPolicy {
  func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    let object = try manager.evaluate(mapping, forSource: source)
    try manager.insert(object, forSource: source, in: mapping)
  }
}
