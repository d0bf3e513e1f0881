package import BulkModel

package enum AttributeMeaning: Hashable, Sendable {
  /// Nothing: the attribute keeps the default value of the destination model.
  case defaultValue
  /// The value at the end of a key path from the source object.
  case copy(String)
  /// The value of a source attribute, or the default value if it is nil.
  case copyOrDefault(String)
  case constant(AttributeValue)
  case policy(selector: String, arguments: [ValueExpression])
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

  /// An argument of a policy's function; it has the objects of the migration already, and gets nil.
  private static func argument(_ expression: ValueExpression) -> ValueExpression {
    guard case .variable(let name) = expression else { return expression }
    return MappingVariables.ofMigration.contains(name) ? .constant(.null) : expression
  }
}

extension EntityMapping {
  package func attribute(_ name: String) -> AttributeMeaning {
    attributeMappings.first { $0.name == name }.map(attribute) ?? .defaultValue
  }

  func attribute(_ property: PropertyMapping) -> AttributeMeaning {
    AttributeMeaning(boundValue(of: property))
  }

  /// The objects that the mapping assigns to a relationship; `nil` if it leaves the relationship to its inverse.
  package func relationship(_ name: String) -> RelationshipMeaning? {
    relationshipMappings.first { $0.name == name }.flatMap(relationship)
  }

  func relationship(_ property: PropertyMapping) -> RelationshipMeaning? {
    boundValue(of: property).map(RelationshipMeaning.init)
  }
}

extension ValueExpression {
  private static let index = "objectFrom:withIndex:"

  /// The first object of this collection: `X[FIRST]`.
  package var first: ValueExpression {
    .predefined(selector: Self.index, arguments: [self, .symbol(.first)])
  }

  package var takesFirst: Bool { collectionOfFirst != nil }

  /// The value of a relationship that continues another one by inference: the first object where it becomes to-one.
  func narrowed(
    to relationship: RelationshipDescription,
    from former: RelationshipDescription?
  ) -> ValueExpression {
    former?.isToMany == true && !relationship.isToMany ? first : self
  }

  /// X, if this is `X[FIRST]` or X's `anyObject`.
  var collectionOfFirst: ValueExpression? {
    if case .predefined(Self.index, let arguments) = self, arguments.last == .symbol(.first) {
      return arguments.first
    }
    guard case .function(let target, "anyObject", _) = self else { return nil }
    return target
  }
}

/// The value expressions of inferred mapping models.
///
/// They are those that Core Data writes, so that an inferred mapping model is read and planned like any
/// other.
package enum InferredValue {
  /// A function of Core Data's default policy, which returns the default value if the source has none.
  static let nonNilSelector = "_nonNilValueOrDefaultValueForAttribute:source:destination:"

  package static func copy(_ attribute: String) -> ValueExpression {
    .keyPath(attribute, of: .variable("source"))
  }

  /// The value of a source attribute, or the destination's default value if it is nil.
  package static func copyOrDefault(_ attribute: String) -> ValueExpression {
    .function(
      target: .variable("entityPolicy"),
      selector: nonNilSelector,
      arguments: [.constant(.string(attribute)), .variable("source"), .variable("destination")]
    )
  }

  /// The value of an attribute that continues another one: the default value where that may be nil and this may not.
  static func value(
    of attribute: AttributeDescription,
    from match: AttributeDescription
  ) -> ValueExpression {
    let mayBeNil = match.isOptional || match.isDerived
    return mayBeNil && !attribute.isOptional && attribute.defaultValue != nil
      ? copyOrDefault(match.name) : copy(match.name)
  }

  /// A value, or another one where it is nil.
  package static func choice(
    _ value: ValueExpression,
    or other: ValueExpression
  ) -> ValueExpression {
    .ternary(.comparison(.init(value, .equalTo, .constant(.null))), then: other, otherwise: value)
  }

  package static func relationship(_ name: String) -> ValueExpression { objects(along: [name]) }

  /// The destination objects that an entity mapping, or any with `nil`, made from those at the end of a path.
  package static func objects(
    along path: [String],
    madeBy mapping: String? = nil
  ) -> ValueExpression {
    let source = ValueExpression.variable("source")
    let objects = path.isEmpty ? source : .keyPath(path.joined(separator: "."), of: source)
    return mapping.map { self.objects(madeBy: $0, from: objects) }
      ?? call(.instancesOfRelationship, path.last ?? "", objects)
  }

  /// The destination objects that an entity mapping made from others.
  static func objects(madeBy mapping: String, from objects: ValueExpression) -> ValueExpression {
    call(.instancesOfMapping, mapping, objects)
  }

  private static func call(
    _ selector: ManagerSelector,
    _ name: String,
    _ objects: ValueExpression
  ) -> ValueExpression {
    .function(
      target: .variable("manager"),
      selector: selector.rawValue,
      arguments: [.constant(.string(name)), objects]
    )
  }
}

extension ValueExpression {
  /// The value with `$source` where the manager gets the source objects of `$destination`, which an entity mapping makes.
  func withSource(of mapping: String) -> ValueExpression {
    replacing { call in
      guard case .function(target: .variable("manager"), let selector, let arguments) = call,
        ManagerSelector(rawValue: selector)?.givesInstances == true
      else { return nil }
      return .function(
        target: .variable("manager"),
        selector: selector,
        arguments: arguments.map { argument in
          argument.replacing { $0.isSource(of: mapping) ? .variable("source") : nil }
        }
      )
    }
  }

  private func isSource(of mapping: String) -> Bool {
    guard case .function(target: .variable("manager"), let selector, let arguments) = self,
      selector == ManagerSelector.sourceInstances.rawValue, arguments.count == 2
    else { return false }
    let names: [ValueExpression] = [
      .constant(.string(mapping)), .keyPath("name", of: .variable("entityMapping")),
    ]
    return names.contains(arguments[0]) && arguments[1] == .variable("destination")
  }
}

package enum RelationshipMeaning: Hashable, Sendable {
  /// The objects that an entity mapping, or any with `nil`, made from those at the end of a path.
  case instances(path: [String], of: String?)
  case nothing
  case policy(selector: String, arguments: [ValueExpression])
  /// An expression that gives no destination objects, with the reason.
  case unsupported(String)

  /// The single source relationship that is continued, by any entity mapping; `nil` for other
  /// meanings.
  package var continuedRelationship: String? {
    guard case .instances(let path, of: nil) = self, path.count == 1 else { return nil }
    return path[0]
  }

  /// Of `X[FIRST]` it is the meaning of X.
  package init(_ expression: ValueExpression) {
    if let collection = expression.collectionOfFirst {
      self.init(collection)
      return
    }
    switch expression {
    case .constant(.null): self = .nothing
    case .function(target: .variable("entityPolicy"), let selector, let arguments):
      self = .policy(selector: selector, arguments: arguments)
    case .function(target: .variable("manager"), let selector, let arguments):
      self = Self.manager(selector, arguments)
    case .constant, .classConstant, .evaluatedObject, .variable, .keyPath, .function, .predefined,
      .symbol, .aggregate, .set, .subquery, .ternary, .fetch:
      let selector = ManagerSelector.instancesOfMapping.rawValue
      self = .unsupported(
        "it gives no destination objects; write FUNCTION($manager, \"\(selector)\", "
          + "\"<entity mapping>\", \(expression))"
      )
    }
  }

  private static func manager(
    _ selector: String,
    _ arguments: [ValueExpression]
  ) -> RelationshipMeaning {
    guard let known = ManagerSelector(rawValue: selector), known.givesInstances else {
      let names = ManagerSelector.givingInstances.map(\.rawValue).joined(separator: " and ")
      return .unsupported("the manager knows no \(selector); known are \(names)")
    }
    guard arguments.count == 2, let name = name(arguments[0], known) else {
      return .unsupported("\(selector) takes a name and source objects")
    }
    // No source objects have no destination objects (formats/migration.md 8.13).
    if arguments[1] == .constant(.null) { return .nothing }
    guard let path = path(arguments[1]) else {
      return .unsupported("\(arguments[1]) is not a path of relationships from $source")
    }
    return .instances(path: path, of: known == .instancesOfMapping ? name : nil)
  }

  /// The name that a function of the manager is given; without one, all entity mappings are
  /// searched (formats/migration.md 8.13), but no relationship (8.14).
  private static func name(
    _ expression: ValueExpression,
    _ selector: ManagerSelector
  ) -> String?? {
    switch expression {
    case .constant(.string(let name)): .some(name)
    case .constant(.null) where selector == .instancesOfMapping: .some(nil)
    default: nil
    }
  }

  /// The relationships that an expression follows from the source object, in order.
  private static func path(_ expression: ValueExpression) -> [String]? {
    if expression == .variable("source") { return [] }
    if case .keyPath(let keys, let operand) = expression {
      // Duplicates are removed in any case, so operators that unite collections have no effect.
      return path(operand).map {
        $0 + keys.split(separator: ".").map(String.init).filter(isRelationship)
      }
    }
    guard case .function(let target, let selector, let arguments) = expression,
      KeyedSelector(rawValue: selector) != nil, arguments.count == 1,
      case .constant(.string(let keys)) = arguments[0]
    else { return nil }
    return path(.keyPath(keys, of: target))
  }

  private static func isRelationship(_ key: String) -> Bool {
    CollectionOperator(rawValue: key).map { !$0.isUnion } ?? true
  }
}

/// The migration manager's functions that expressions of a mapping call.
enum ManagerSelector: String, CaseIterable, Sendable {
  /// The objects that an entity mapping made of source objects.
  case instancesOfMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  /// The objects made from the source objects of a relationship, by any entity mapping.
  case instancesOfRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  /// A fetch of the objects of a source entity, with the filter as text.
  case fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
  /// The source objects of which an entity mapping made destination objects.
  case sourceInstances = "sourceInstancesForEntityMappingNamed:destinationInstances:"
  case sourceContext
  case destinationContext

  static let givingInstances: [ManagerSelector] = [.instancesOfMapping, .instancesOfRelationship]

  var givesInstances: Bool { Self.givingInstances.contains(self) }
}

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
  static let entityMappingKeys = keys.map(\.key) + ["userInfo"]
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
