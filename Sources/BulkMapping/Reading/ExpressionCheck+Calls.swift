internal import BulkCoding
internal import BulkModel

extension ExpressionCheck {
  /// Checks `FUNCTION(target, "selector", arguments…)`.
  mutating func call(
    _ selector: String,
    _ target: ValueExpression,
    _ arguments: [ValueExpression]
  ) -> Shape {
    let colons = selector.utf8.count { $0 == UInt8(ascii: ":") }
    if colons != arguments.count {
      warn("the selector \(selector) takes \(colons) arguments, not \(arguments.count)")
    }
    switch target {
    case .variable("manager"): return callManager(selector, arguments)
    case .variable("source") where KeyedSelector(rawValue: selector) != nil:
      guard case .constant(.string(let path))? = arguments.first else { break }
      return visit(.keyPath(path, of: target))
    case .variable("entityPolicy"):
      if selector == InferredValue.nonNilSelector {
        noteDefaulting(arguments)
      } else if !hasPolicy {
        warn("it calls \(selector) of a policy, but the entity mapping names none")
      }
    case .constant, .classConstant, .evaluatedObject, .variable, .keyPath, .function, .predefined,
      .symbol, .aggregate, .set, .subquery, .ternary, .fetch, .assignment:
      // Whether the value knows the selector is found out when the expression is compiled.
      break
    }
    visit(target)
    for argument in arguments { visit(argument) }
    return .unknown
  }

  /// Core Data's default policy reads the attribute that its first argument names.
  private mutating func noteDefaulting(_ arguments: [ValueExpression]) {
    guard let entity, case .constant(.string(let name))? = arguments.first else { return }
    _ = follow(name, from: entity)
  }

  private mutating func callManager(_ selector: String, _ arguments: [ValueExpression]) -> Shape {
    visit(.variable("manager"))
    let shapes = arguments.map { visit($0) }
    guard let known = ManagerSelector(rawValue: selector) else {
      let hint = MappingResolver.hint(selector, among: ManagerSelector.allCases.map(\.rawValue))
      warn("the migration manager has no selector \(selector)\(hint)")
      return .unknown
    }
    guard known.givesInstances else { return .unknown }
    guard case .constant(.string(let name))? = arguments.first else {
      warn("the first argument of \(selector) is no text")
      return .destinationObjects(nil)
    }
    let instances = shapes.count > 1 ? shapes[1] : .unknown
    if case .attribute(let attribute) = instances {
      fault(attribute.name, "\(attribute.name) is an attribute and leads to no objects")
    }
    if known == .instancesOfMapping {
      return .destinationObjects(mapping(named: name, instances))
    }
    if let entity, source.relationship(named: name, of: entity) == nil {
      let hint = MappingResolver.hint(name, among: source.relationships(of: entity).map(\.name))
      fault(name, "the source entity \(entity.name) has no relationship \(name)\(hint)")
    }
    return .destinationObjects(nil)
  }

  private mutating func mapping(named name: String, _ instances: Shape) -> EntityMapping? {
    guard let mapping = mappings.first(where: { $0.name == name }) else {
      let hint = MappingResolver.hint(name, among: mappings.map(\.name))
      fault(name, "there is no entity mapping \(name)\(hint)")
      return nil
    }
    guard case .objects(let given) = instances,
      let read = mapping.sourceEntityName.flatMap({ source.entity(named: $0) }),
      source.root(of: read).name != source.root(of: given).name
    else { return mapping }
    warn(
      "entity mapping \(name) reads objects of \(read.name), but is asked for those of \(given.name)"
    )
    return mapping
  }
}
