public import BulkMapping
public import BulkModel

/// Custom code that makes the objects of an entity mapping (`NSEntityMigrationPolicy`).
///
/// The hooks are called in Core Data's order: `begin`, then `createDestinationInstances` for every
/// source object, then `endInstanceCreation`; when the objects of all entity mappings exist,
/// `createRelationships` for every object, then `endRelationshipCreation`; finally
/// `performCustomValidation` and `end`. The default of each behaves as Core Data's.
///
/// A policy has no state of its own: values to keep between calls belong in the manager's
/// ``MigrationManager/userInfo``, which survives an interruption.
///
/// An error that a hook throws ends the migration, unless it is ``RejectedObject``; nothing is published.
public protocol EntityMigrationPolicy: Sendable {
  /// Called before the first object of an entity mapping is made.
  func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws

  /// Makes the destination objects of one source object; by default the one that the mapping describes.
  ///
  /// Inserting nothing drops the object; inserting twice splits it; throwing ``RejectedObject`` before
  /// inserting anything rejects it.
  func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws

  /// Called after the last object of an entity mapping was made.
  func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws

  /// Called for every object of an entity mapping when all objects exist, after the relationships that the
  /// mapping describes are set.
  func createRelationships(
    forDestination destination: ObjectID,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws

  /// Called after the relationships of all objects of an entity mapping are set.
  func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws

  /// Called when all objects satisfy the destination's rules; those that violate them are left out,
  /// or end the migration.
  func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws

  /// Called at the end of an entity mapping.
  func end(_ mapping: EntityMapping, manager: MigrationManager) throws

  /// The value of `FUNCTION($entityPolicy, "selector:", arguments…)` in the mapping's expressions; by
  /// default an error that names the selector.
  func value(
    ofFunction selector: String,
    arguments: [AttributeValue],
    manager: MigrationManager
  ) throws -> AttributeValue

  /// The value of `FUNCTION($entityPolicy, "selector:", arguments…)` in the expression of a relationship:
  /// the related objects; by default an error that names the selector.
  ///
  /// Arguments that are objects, such as `$source` and `$manager`, are passed as `.null`.
  func destinationInstances(
    ofFunction selector: String,
    arguments: [AttributeValue],
    forSource source: ObjectID,
    manager: MigrationManager
  ) throws -> [ObjectID]
}

extension EntityMigrationPolicy {
  /// By default, begins without any work.
  public func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// Inserts the object that the mapping describes.
  public func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try manager.insert(manager.evaluate(mapping, forSource: source), forSource: source, in: mapping)
  }

  /// By default, ends the creation of objects without any work.
  public func endInstanceCreation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// By default, adds nothing to the relationships of the mapping.
  public func createRelationships(
    forDestination destination: ObjectID,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// By default, ends the creation of relationships without any work.
  public func endRelationshipCreation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// By default, validates nothing beyond the rules of the model.
  public func performCustomValidation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// By default, ends the mapping without any work.
  public func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  /// By default, throws an error for every function.
  public func value(
    ofFunction selector: String,
    arguments: [AttributeValue],
    manager: MigrationManager
  ) throws -> AttributeValue {
    throw PolicyError("the policy answers no function \(selector)")
  }

  /// By default, throws an error for every function.
  public func destinationInstances(
    ofFunction selector: String,
    arguments: [AttributeValue],
    forSource source: ObjectID,
    manager: MigrationManager
  ) throws -> [ObjectID] {
    throw PolicyError("the policy answers no function \(selector)")
  }
}
