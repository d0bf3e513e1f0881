internal import BulkModel

/// The keys of `$entityMapping` and `$propertyMapping`, which a mapping knows when its plan is made.
///
/// Source: the properties of `NSEntityMapping` and `NSPropertyMapping`.
struct MappingVariables {
  /// The keys of `$entityMapping`.
  static let entityMappingKeys = [
    "name", "mappingType", "sourceEntityName", "destinationEntityName",
    "entityMigrationPolicyClassName", "userInfo",
  ]
  /// The keys of `$propertyMapping`.
  static let propertyMappingKeys = ["name", "userInfo"]

  private let mapping: EntityMapping
  private let property: PropertyMapping

  /// The variables for the value of a property.
  init(of property: PropertyMapping, in mapping: EntityMapping) {
    self.mapping = mapping
    self.property = property
  }

  /// The expression with constants in place of the keys; unknown keys stay.
  func bound(_ expression: ValueExpression) -> ValueExpression {
    if let value = constant(expression) { return .constant(value) }
    switch expression {
    case .constant, .classConstant, .evaluatedObject, .variable, .symbol: return expression
    case .keyPath(let path, of: let operand): return .keyPath(path, of: bound(operand))
    case .function(let target, let selector, let arguments):
      return .function(
        target: bound(target),
        selector: selector,
        arguments: arguments.map(bound)
      )
    case .predefined(let selector, let arguments):
      return .predefined(selector: selector, arguments: arguments.map(bound))
    case .aggregate(let elements): return .aggregate(elements.map(bound))
    case .set(let operation, let first, let second):
      return .set(operation, bound(first), bound(second))
    case .subquery(let collection, let variable, let predicate):
      return .subquery(bound(collection), variable: variable, predicate: bound(predicate))
    case .ternary(let predicate, let then, let otherwise):
      return .ternary(bound(predicate), then: bound(then), otherwise: bound(otherwise))
    case .fetch(let request, let context, let countOnly):
      return .fetch(request: bound(request), context: bound(context), countOnly: countOnly)
    case .assignment(let variable, let value):
      return .assignment(variable: variable, value: bound(value))
    }
  }

  private func bound(_ predicate: ValuePredicate) -> ValuePredicate {
    switch predicate {
    case .constant: return predicate
    case .comparison(var comparison):
      comparison.left = bound(comparison.left)
      comparison.right = bound(comparison.right)
      return .comparison(comparison)
    case .not(let part): return .not(bound(part))
    case .and(let parts): return .and(parts.map(bound))
    case .or(let parts): return .or(parts.map(bound))
    }
  }

  private func constant(_ expression: ValueExpression) -> AttributeValue? {
    switch expression {
    case .keyPath(let path, of: .variable("entityMapping")): entityMapping(path)
    case .keyPath(let path, of: .variable("propertyMapping")): propertyMapping(path)
    case .constant, .classConstant, .evaluatedObject, .variable, .keyPath, .function, .predefined,
      .symbol, .aggregate, .set, .subquery, .ternary, .fetch, .assignment:
      nil
    }
  }

  private func entityMapping(_ path: String) -> AttributeValue? {
    switch path {
    case "name": .string(mapping.name)
    case "mappingType": .integer(mapping.kind.rawValue)
    case "sourceEntityName": Self.text(mapping.sourceEntityName)
    case "destinationEntityName": Self.text(mapping.destinationEntityName)
    case "entityMigrationPolicyClassName": Self.text(mapping.entityMigrationPolicyClassName)
    default: Self.entry(path, of: mapping.userInfo)
    }
  }

  private func propertyMapping(_ path: String) -> AttributeValue? {
    path == "name" ? .string(property.name) : Self.entry(path, of: property.userInfo)
  }

  private static func text(_ text: String?) -> AttributeValue { text.map { .string($0) } ?? .null }

  /// A value of `userInfo.key`; nil if there is none, as in a dictionary.
  private static func entry(
    _ path: String,
    of userInfo: [String: AttributeValue]
  ) -> AttributeValue? {
    guard path.hasPrefix("userInfo.") else { return nil }
    return userInfo[String(path.dropFirst("userInfo.".count)), default: .null]
  }
}

extension EntityMapping {
  /// The expression of a property with its variables bound.
  func boundValue(of property: PropertyMapping) -> ValueExpression? {
    property.valueExpression.map { MappingVariables(of: property, in: self).bound($0) }
  }
}
