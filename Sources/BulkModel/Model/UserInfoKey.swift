/// Keys of user info by which a model tells Core Data how to keep its objects.
package enum UserInfoKey {
  /// Of a root entity: `yes` or `1` leaves out the index over entity numbers (core-data-migrator.md 4.11).
  package static let omitsEntityIndex = "_NSEntityOmitSubentityColumnIndex"
  /// Of an ordered relationship: its places have an index, whatever the value (core-data-migrator.md 4.12).
  package static let indexesPlaces = "NSRelationshipDescriptionOrderKeyIndexOption"
  /// Of an attribute: it takes over the values of one of another type that are bytes, too, whatever the value
  /// (core-data-migrator.md 2.8, 4.2).
  package static let allowsTypeTransformation = "NSMigrationAllowTypeTransformation"
  /// Of a transient attribute of undefined type: the attributes of which a location consists, as an array; seen in a
  /// store of Photos.
  static let locationComponents = "_NSLocationAttributeDerivedComponents"
}
