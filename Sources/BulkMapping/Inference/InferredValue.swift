public import BulkModel

/// The value expressions of inferred mapping models.
///
/// They are those that Core Data writes, so that an inferred mapping model is read and planned like any
/// other.
public enum InferredValue {
  /// A function of Core Data's default policy, which returns the default value if the source has none.
  static let nonNilSelector = "_nonNilValueOrDefaultValueForAttribute:source:destination:"

  /// The value of a source attribute.
  public static func copy(_ attribute: String) -> ValueExpression {
    .keyPath(attribute, of: .variable("source"))
  }

  /// The value of a source attribute, or the destination's default value if it is nil.
  public static func copyOrDefault(_ attribute: String) -> ValueExpression {
    .function(
      target: .variable("entityPolicy"),
      selector: nonNilSelector,
      arguments: [.constant(.string(attribute)), .variable("source"), .variable("destination")]
    )
  }

  /// The destination objects of a source relationship.
  public static func relationship(_ name: String) -> ValueExpression {
    .function(
      target: .variable("manager"),
      selector: ManagerSelector.instancesOfRelationship.rawValue,
      arguments: [.constant(.string(name)), .keyPath(name, of: .variable("source"))]
    )
  }
}
