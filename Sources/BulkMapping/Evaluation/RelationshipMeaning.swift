package import BulkModel

/// What the value expression of a relationship says.
package enum RelationshipMeaning: Hashable, Sendable {
  /// The objects that an entity mapping made of those at the end of a path; with `nil`, that any made.
  case instances(path: [String], of: String?)
  /// No object at all.
  case nothing
  /// What a policy answers.
  case policy(selector: String, arguments: [ValueExpression])
  /// Something that gives no destination objects, with the reason.
  case unsupported(String)

  package static let byMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  package static let byRelationship =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

  package init(_ expression: ValueExpression) {
    switch expression {
    case .constant(.null): self = .nothing
    case .function(target: .variable("entityPolicy"), let selector, let arguments):
      self = .policy(selector: selector, arguments: arguments)
    case .function(target: .variable("manager"), let selector, let arguments):
      self = Self.manager(selector, arguments)
    default:
      self = .unsupported(
        "it gives no destination objects; write FUNCTION($manager, \"\(Self.byMapping)\", "
          + "\"<entity mapping>\", \(expression))"
      )
    }
  }

  private static func manager(
    _ selector: String,
    _ arguments: [ValueExpression]
  ) -> RelationshipMeaning {
    guard selector == byMapping || selector == byRelationship else {
      return .unsupported(
        "the manager knows no \(selector); known are \(byMapping) and \(byRelationship)"
      )
    }
    guard arguments.count == 2, case .constant(.string(let name)) = arguments[0] else {
      return .unsupported("\(selector) takes a name and source objects")
    }
    guard let path = path(arguments[1]) else {
      return .unsupported("\(arguments[1]) is no path of relationships from $source")
    }
    return .instances(path: path, of: selector == byMapping ? name : nil)
  }

  /// The relationships that an expression follows from the source object, one after the other.
  private static func path(_ expression: ValueExpression) -> [String]? {
    switch expression {
    case .variable("source"): []
    case .keyPath(let keys, let operand):
      // Objects are counted once in any case, so the operators that unite collections add nothing.
      path(operand).map { $0 + keys.split(separator: ".").map(String.init).filter(isRelationship) }
    case .function(let target, "valueForKey:", let arguments),
      .function(let target, "valueForKeyPath:", let arguments):
      if arguments.count == 1, case .constant(.string(let keys)) = arguments[0] {
        path(.keyPath(keys, of: target))
      } else {
        nil
      }
    default: nil
    }
  }

  private static let unions = [
    "@distinctUnionOfObjects", "@unionOfObjects", "@distinctUnionOfArrays", "@unionOfArrays",
    "@distinctUnionOfSets",
  ]

  private static func isRelationship(_ key: String) -> Bool { !unions.contains(key) }
}
