import BulkExecute
import BulkModel

/// Stands in for a policy that real software keeps to itself: it makes what the mapping describes, and
/// answers every function with nothing.
struct StandInPolicy: EntityMigrationPolicy {
  func value(
    ofFunction selector: String,
    arguments: [AttributeValue],
    manager: MigrationManager
  ) throws -> AttributeValue { .null }

  func destinationInstances(
    ofFunction selector: String,
    arguments: [AttributeValue],
    forSource source: ObjectID,
    manager: MigrationManager
  ) throws -> [ObjectID] { [] }
}
