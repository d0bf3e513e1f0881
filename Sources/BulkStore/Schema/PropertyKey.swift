/// A property of a model, by the entity that declares it.
package struct PropertyKey: Hashable, Sendable {
  /// The name of the declaring entity.
  package let entity: String
  /// The property's name.
  package let property: String

  package init(_ entity: String, _ property: String) {
    self.entity = entity
    self.property = property
  }
}

extension PropertyKey: CustomStringConvertible {
  package var description: String { "\(entity).\(property)" }
}
