public import BulkMapping
public import BulkModel

/// Code of the user's own that makes the objects of an entity mapping (`NSEntityMigrationPolicy`).
///
/// The hooks are called in Core Data's order: `begin`, then for every source object
/// `createDestinationInstances`, then `endInstanceCreation`; when the objects of all entity mappings
/// are there, for every object `createRelationships`, then `endRelationshipCreation`; at last
/// `performCustomValidation` and `end`. Each has a default that does what Core Data's does.
///
/// A policy has no state of its own: what it must remember from one call to the next belongs into the
/// manager's ``MigrationManager/userInfo``, which an interrupted migration keeps.
///
/// An error that a hook throws ends the migration; nothing is published.
public protocol EntityMigrationPolicy: Sendable {
  /// Is called before the first object of an entity mapping is made.
  func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws

  /// Makes the destination objects of one source object; by default the one that the mapping describes.
  ///
  /// Inserting nothing drops the object, inserting twice splits it.
  func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws

  /// Is called after the last object of an entity mapping was made.
  func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws

  /// Is called for every object of an entity mapping when all objects are there, after the
  /// relationships that the mapping describes are set.
  func createRelationships(
    forDestination destination: ObjectID,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws

  /// Is called after the relationships of all objects of an entity mapping are set.
  func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws

  /// Is called before the destination's rules are applied to the objects.
  func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws

  /// Is called at the end of an entity mapping.
  func end(_ mapping: EntityMapping, manager: MigrationManager) throws

  /// The answer to `FUNCTION($entityPolicy, "selector:", arguments…)` in the mapping's expressions; by
  /// default an error that names the selector.
  func value(
    ofFunction selector: String,
    arguments: [AttributeValue],
    manager: MigrationManager
  ) throws -> AttributeValue
}

extension EntityMigrationPolicy {
  /// Does nothing.
  public func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// Inserts the object that the mapping describes.
  public func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try manager.insert(manager.evaluate(mapping, forSource: source), forSource: source, in: mapping)
  }

  /// Does nothing.
  public func endInstanceCreation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// Does nothing more than the mapping describes.
  public func createRelationships(
    forDestination destination: ObjectID,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// Does nothing.
  public func endRelationshipCreation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// Does nothing.
  public func performCustomValidation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// Does nothing.
  public func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Answers no function.
  public func value(
    ofFunction selector: String,
    arguments: [AttributeValue],
    manager: MigrationManager
  ) throws -> AttributeValue {
    throw PolicyError("the policy answers no function \(selector)")
  }
}
