internal import BulkMapping
internal import BulkModel

/// A policy that is asked about the objects of a page before its hooks are called for each of them.
protocol PagedPolicy: EntityMigrationPolicy {
  /// Ends what works for the policy, since the migration fails.
  func stop()

  /// Asks which objects are made of source objects.
  func prepareInstances(
    _ page: PolicyPage,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws

  /// Asks which objects the relationships of destination objects have.
  func prepareRelationships(
    _ page: PolicyPage,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws
}

/// The objects of a page.
struct PolicyPage {
  /// The most objects of a page.
  static let rows = 500

  /// The source objects' entity.
  let entity: String
  /// The keys of the source objects.
  let sources: [Int64]
  /// The keys of the destination objects; none before they are made.
  var destinations: [Int64] = []
  /// The bytes that values and answers may have.
  let byteLimit: Int
  /// Reads a value of a source object, by its key path.
  let value: (String, Int64) throws -> AttributeValue
}
