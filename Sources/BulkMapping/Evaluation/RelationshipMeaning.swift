package import BulkModel

/// The meaning of a relationship's value expression.
package enum RelationshipMeaning: Hashable, Sendable {
  /// The objects that an entity mapping, or any with `nil`, made from those at the end of a path.
  case instances(path: [String], of: String?)
  /// No object.
  case nothing
  /// The result of a policy function.
  case policy(selector: String, arguments: [ValueExpression])
  /// An expression that gives no destination objects, with the reason.
  case unsupported(String)

  /// The single source relationship that is continued, by any entity mapping; `nil` for other
  /// meanings.
  package var continuedRelationship: String? {
    guard case .instances(let path, of: nil) = self, path.count == 1 else { return nil }
    return path[0]
  }

  package init(_ expression: ValueExpression) {
    switch expression {
    case .constant(.null): self = .nothing
    case .function(target: .variable("entityPolicy"), let selector, let arguments):
      self = .policy(selector: selector, arguments: arguments)
    case .function(target: .variable("manager"), let selector, let arguments):
      self = Self.manager(selector, arguments)
    case .constant, .classConstant, .evaluatedObject, .variable, .keyPath, .function, .predefined,
      .symbol, .aggregate, .set, .subquery, .ternary, .fetch, .assignment:
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
    guard arguments.count == 2, case .constant(.string(let name)) = arguments[0] else {
      return .unsupported("\(selector) takes a name and source objects")
    }
    guard let path = path(arguments[1]) else {
      return .unsupported("\(arguments[1]) is no path of relationships from $source")
    }
    return .instances(path: path, of: known == .instancesOfMapping ? name : nil)
  }

  /// The relationships that an expression follows from the source object, in order.
  private static func path(_ expression: ValueExpression) -> [String]? {
    switch expression {
    case .variable("source"): []
    case .keyPath(let keys, let operand):
      // Duplicates are removed in any case, so operators that unite collections have no effect.
      path(operand).map { $0 + keys.split(separator: ".").map(String.init).filter(isRelationship) }
    case .function(let target, let selector, let arguments):
      if KeyedSelector(rawValue: selector) != nil, arguments.count == 1,
        case .constant(.string(let keys)) = arguments[0]
      {
        path(.keyPath(keys, of: target))
      } else {
        nil
      }
    case .constant, .classConstant, .evaluatedObject, .variable, .predefined, .symbol, .aggregate,
      .set, .subquery, .ternary, .fetch, .assignment:
      nil
    }
  }

  private static func isRelationship(_ key: String) -> Bool {
    CollectionOperator(rawValue: key).map { !$0.isUnion } ?? true
  }
}

/// The migration manager's functions that expressions of a mapping call.
package enum ManagerSelector: String, CaseIterable, Sendable {
  /// The objects that an entity mapping made of source objects.
  case instancesOfMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  /// The objects made from the source objects of a relationship, by any entity mapping.
  case instancesOfRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  /// A fetch of the objects of a source entity, with the filter as text.
  case fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
  case sourceContext
  case destinationContext

  /// The functions that return destination objects.
  static let givingInstances: [ManagerSelector] = [.instancesOfMapping, .instancesOfRelationship]

  /// Whether it returns destination objects.
  var givesInstances: Bool { Self.givingInstances.contains(self) }
}
