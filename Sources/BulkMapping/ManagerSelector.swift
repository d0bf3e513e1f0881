/// The functions of the migration manager that expressions of a mapping name.
package enum ManagerSelector: String, CaseIterable, Sendable {
  /// The objects that an entity mapping made of source objects.
  case instancesOfMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  /// The objects that were made of source objects of a relationship, by whatever entity mapping.
  case instancesOfRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  /// A fetch of the objects of a source entity, with the filter as text.
  case fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
  case sourceContext
  case destinationContext

  /// The functions that give destination objects.
  static let givingInstances: [ManagerSelector] = [.instancesOfMapping, .instancesOfRelationship]

  /// Whether it gives destination objects.
  var givesInstances: Bool { Self.givingInstances.contains(self) }
}
