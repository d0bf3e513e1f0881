public import BulkModel

/// How a property of a destination object gets its value (`NSPropertyMapping`).
public struct PropertyMapping: Hashable, Sendable {
  /// The name of the destination property.
  public var name: String
  /// The expression for the value; with `nil` the property keeps the model's default value.
  public var valueExpression: ValueExpression?
  /// Values for the policy, by name.
  public var userInfo: [String: AttributeValue] = [:]

  /// A property mapping.
  public init(_ name: String, _ valueExpression: ValueExpression?) {
    self.name = name
    self.valueExpression = valueExpression
  }
}
