internal import BulkModel

/// The keys of `$entityMapping` and `$propertyMapping`, which a mapping knows when its plan is made.
///
/// Source: the properties of `NSEntityMapping` and `NSPropertyMapping`.
struct MappingVariables {
  /// The variables for the objects of a migration, which have no value in a row.
  static let ofMigration = [
    "destination", "manager", "entityMapping", "propertyMapping", "entityPolicy",
  ]
  /// The keys of `$entityMapping`.
  static let entityMappingKeys = [
    "name", "mappingType", "sourceEntityName", "destinationEntityName",
    "entityMigrationPolicyClassName", "userInfo",
  ]
  /// The keys of `$propertyMapping`.
  static let propertyMappingKeys = ["name", "userInfo"]

  let mapping: EntityMapping
  let property: PropertyMapping

  /// The expression with constants in place of the keys; unknown keys stay.
  func bound(_ expression: ValueExpression) -> ValueExpression {
    expression.replacing { part in constant(part).map { .constant($0) } }
  }

  private func constant(_ expression: ValueExpression) -> AttributeValue? {
    guard case .keyPath(let path, of: .variable(let name)) = expression else { return nil }
    return name == "entityMapping"
      ? entityMapping(path) : name == "propertyMapping" ? propertyMapping(path) : nil
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
    property.valueExpression.map { MappingVariables(mapping: self, property: property).bound($0) }
  }
}
