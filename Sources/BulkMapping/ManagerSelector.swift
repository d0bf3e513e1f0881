/// The migration manager's functions that expressions of a mapping call.
package enum ManagerSelector: String, CaseIterable, Sendable {
  /// The objects that an entity mapping made of source objects.
  case instancesOfMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  /// The objects made from the source objects of a relationship, by any entity mapping.
  case instancesOfRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  /// A fetch of the objects of a source entity, with the filter as text.
  case fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
  case sourceContext
  case destinationContext

  /// The functions that return destination objects.
  static let givingInstances: [ManagerSelector] = [.instancesOfMapping, .instancesOfRelationship]

  /// Whether it returns destination objects.
  var givesInstances: Bool { Self.givingInstances.contains(self) }
}
