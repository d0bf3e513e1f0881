public import BulkModel

/// What a property mapping assigns to an attribute.
package enum AttributeMeaning: Hashable, Sendable {
  /// Nothing: the attribute keeps the default value of the destination model.
  case defaultValue
  /// The value at the end of a key path from the source object.
  case copy(String)
  /// The value of a source attribute, or the default value if it is nil.
  case copyOrDefault(String)
  /// A constant.
  case constant(AttributeValue)
  /// The result of a function of the mapping's policy.
  case policy(selector: String, arguments: [ValueExpression])
  /// The value of an expression for the source object.
  case expression(ValueExpression)

  /// The meaning of an expression; `nil` keeps the default value.
  package init(_ expression: ValueExpression?) {
    switch expression {
    case nil: self = .defaultValue
    case .keyPath(let path, of: .variable("source")): self = .copy(path)
    case .constant(let value): self = .constant(value)
    case .function(target: .variable("entityPolicy"), let selector, let arguments):
      if selector == InferredValue.nonNilSelector,
        case .constant(.string(let name)) = arguments.first
      {
        self = .copyOrDefault(name)
      } else {
        self = .policy(selector: selector, arguments: arguments.map(Self.argument))
      }
    case let expression?: self = .expression(expression)
    }
  }
}

extension AttributeMeaning {
  /// An argument of a policy's function; it has the objects of the migration already, and gets nil.
  private static func argument(_ expression: ValueExpression) -> ValueExpression {
    switch expression {
    case .variable("manager"), .variable("destination"), .variable("entityMapping"),
      .variable("propertyMapping"), .variable("entityPolicy"):
      .constant(.null)
    case .constant, .classConstant, .evaluatedObject, .variable, .keyPath, .function, .predefined,
      .symbol, .aggregate, .set, .subquery, .ternary, .fetch, .assignment:
      expression
    }
  }
}

extension EntityMapping {
  /// What the mapping assigns to an attribute.
  package func attribute(_ name: String) -> AttributeMeaning {
    AttributeMeaning(attributeMappings.first { $0.name == name }.flatMap(boundValue))
  }

  /// What the mapping assigns to a relationship; `nil` if it leaves the relationship to its inverse.
  package func relationship(_ name: String) -> RelationshipMeaning? {
    relationshipMappings.first { $0.name == name }.flatMap(boundValue)
      .map(RelationshipMeaning.init)
  }
}

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
