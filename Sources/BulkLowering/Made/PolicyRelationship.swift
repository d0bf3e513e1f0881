package import BulkModel

/// A relationship whose objects a policy names: `FUNCTION($entityPolicy, "selector:", …)`.
package struct PolicyRelationship: Hashable, Sendable {
  /// An argument of the function.
  package enum Argument: Hashable, Sendable {
    /// A value.
    case constant(AttributeValue)
    /// The value at the end of a key path from the source object.
    case path(String)
    /// Something that the policy has already, as `$source` and `$manager`.
    case object
  }

  /// The relationship.
  package let name: String
  /// The function.
  package let selector: String
  /// Its arguments.
  package let arguments: [Argument]
}

extension PolicyRelationship.Argument {
  init(_ expression: ValueExpression) {
    switch expression {
    case .constant(let value): self = .constant(value)
    case .keyPath(let path, of: .variable("source")): self = .path(path)
    case .classConstant, .evaluatedObject, .variable, .keyPath, .function, .predefined, .symbol,
      .aggregate, .set, .subquery, .ternary, .fetch, .assignment:
      self = .object
    }
  }
}
