internal import BulkModel

/// The keys of `$entityMapping` and `$propertyMapping`, which a mapping knows when its plan is made.
///
/// Source: the properties of `NSEntityMapping` and `NSPropertyMapping`.
struct MappingVariables {
  /// The variables for the objects of a migration, which have no value in a row.
  static let ofMigration = [
    "destination", "manager", "entityMapping", "propertyMapping", "entityPolicy",
  ]
  private static let keys: KeyValuePairs<String, @Sendable (EntityMapping) -> AttributeValue> = [
    "name": { .string($0.name) },
    "mappingType": { .integer($0.kind.rawValue) },
    "sourceEntityName": { text($0.sourceEntityName) },
    "destinationEntityName": { text($0.destinationEntityName) },
    "entityMigrationPolicyClassName": { text($0.entityMigrationPolicyClassName) },
  ]
  /// The keys of `$entityMapping`.
  static let entityMappingKeys = keys.map(\.key) + ["userInfo"]
  /// The keys of `$propertyMapping`.
  static let propertyMappingKeys = ["name", "userInfo"]

  let mapping: EntityMapping
  let property: PropertyMapping

  /// The expression with constants in place of the keys; unknown keys stay.
  func bound(_ expression: ValueExpression) -> ValueExpression {
    expression.replacing { part in constant(part).map { .constant($0) } }
  }

  private func constant(_ expression: ValueExpression) -> AttributeValue? {
    switch expression {
    case .keyPath(let path, of: .variable("entityMapping")):
      Self.keys.first { $0.key == path }?.value(mapping) ?? Self.entry(path, of: mapping.userInfo)
    case .keyPath("name", of: .variable("propertyMapping")): .string(property.name)
    case .keyPath(let path, of: .variable("propertyMapping")):
      Self.entry(path, of: property.userInfo)
    default: nil
    }
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
