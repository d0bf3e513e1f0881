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

  /// The one relationship of the source that is continued, by whatever entity mapping; `nil` for anything
  /// else.
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

  /// The relationships that an expression follows from the source object, one after the other.
  private static func path(_ expression: ValueExpression) -> [String]? {
    switch expression {
    case .variable("source"): []
    case .keyPath(let keys, let operand):
      // Objects are counted once in any case, so the operators that unite collections add nothing.
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
