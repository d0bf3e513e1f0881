/// Keys of user info by which a model tells Core Data how to keep its objects.
package enum UserInfoKey {
  /// Of a root entity: `yes` or `1` leaves out the index over entity numbers (formats/store.md 7.3).
  package static let omitsEntityIndex = "_NSEntityOmitSubentityColumnIndex"
  /// Of an ordered relationship: its places are indexed; any value of the key sets it
  /// (formats/store.md 7.2).
  package static let indexesPlaces = "NSRelationshipDescriptionOrderKeyIndexOption"
  /// Of an attribute: it may take over values of another type, even from bytes; any value of the
  /// key sets it (formats/migration.md 2.8, 4.2).
  package static let allowsTypeTransformation = "NSMigrationAllowTypeTransformation"
  /// Of a transient attribute of undefined type: the attributes of a location, as an array; seen in
  /// a store of Photos.
  static let locationComponents = "_NSLocationAttributeDerivedComponents"
}
