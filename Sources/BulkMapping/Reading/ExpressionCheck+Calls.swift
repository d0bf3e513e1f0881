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
        // Core Data's default policy reads the attribute that its first argument names.
        if let entity, case .constant(.string(let name))? = arguments.first {
          _ = follow(name, from: entity)
        }
      }
    case .constant, .classConstant, .evaluatedObject, .variable, .keyPath, .function, .predefined,
      .symbol, .aggregate, .set, .subquery, .ternary, .fetch:
      // Whether the value knows the selector is found out when the expression is compiled.
      break
    }
    visit(target)
    for argument in arguments { visit(argument) }
    return .unknown
  }

  private mutating func callManager(_ selector: String, _ arguments: [ValueExpression]) -> Shape {
    visit(.variable("manager"))
    let shapes = arguments.map { visit($0) }
    // What the manager does not know is found out when the expression is compiled.
    guard let known = ManagerSelector(rawValue: selector), known.givesInstances else {
      return .unknown
    }
    guard case .constant(.string(let name))? = arguments.first else {
      return .destinationObjects(nil)
    }
    let instances = shapes.count > 1 ? shapes[1] : .unknown
    if case .attribute(let attribute) = instances {
      fault(attribute.name, "\(attribute.name) is an attribute and leads to no objects")
    }
    if known == .instancesOfMapping {
      return .destinationObjects(mapping(named: name, instances))
    }
    if let entity, models.source.relationship(named: name, of: entity) == nil {
      let hint = MappingResolver.hint(
        name,
        among: models.source.relationships(of: entity).map(\.name)
      )
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
      let read = models.source.entity(named: mapping.sourceEntityName),
      models.source.root(of: read).name != models.source.root(of: given).name
    else { return mapping }
    warn(
      "entity mapping \(name) reads objects of \(read.name), but is asked for those of \(given.name)"
    )
    return mapping
  }

  /// Follows a key path step by step; the first unknown key is an error.
  mutating func follow(_ path: String, from entity: EntityDescription) -> Shape {
    var entity = entity
    var keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    while let key = keys.popFirst() {
      let rest = keys.joined(separator: ".")
      if CollectionOperator.isWritten(key) {
        guard let known = CollectionOperator(rawValue: key) else {
          let hint = MappingResolver.hint(key, among: CollectionOperator.allCases.map(\.rawValue))
          fault(key, "unknown operator \(key)\(hint)")
          return .unknown
        }
        if known == .count { return .unknown }
        continue
      }
      let attribute = models.source.attribute(named: key, of: entity)
      for leaf in attribute?.leaves ?? [] where "\(key).\(rest).".hasPrefix("\(leaf.name).") {
        noteReading(leaf.name, of: entity)
      }
      noteReading(key, of: entity)
      if let attribute {
        if attribute.isTransient { warn("\(key) is transient, so the store has no values of it") }
        return rest.isEmpty ? .attribute(attribute) : beyond(attribute, rest)
      }
      guard let next = target(of: key, in: entity) else { return .unknown }
      entity = next
    }
    return .objects(entity)
  }

  private mutating func target(
    of key: String,
    in entity: EntityDescription
  ) -> EntityDescription? {
    if let found = models.source.relationship(named: key, of: entity)?.relationship {
      return models.source.entity(named: found.destinationEntityName)
    }
    let names =
      models.source.attributes(of: entity).map(\.name)
      + models.source.relationships(of: entity).map(\.name)
    let hint = MappingResolver.hint(key, among: names)
    let below = models.source.hierarchy(from: entity).dropFirst().first {
      models.source.has(key, in: $0)
    }
    let reason =
      below.map { "only its subentity \($0.name) has \(key)" } ?? "it has no property \(key)\(hint)"
    fault(key, "the source entity is \(entity.name), and \(reason)")
    return nil
  }

  /// The rest of a key path after an attribute: an element of a composite one, or the length of a text.
  mutating func beyond(_ attribute: AttributeDescription, _ path: String) -> Shape {
    let type = attribute.attributeType
    guard type == .composite else {
      // Operators after an attribute come from a path such as `tags.name.@count`.
      let isAllowed =
        type.isOpen || type == .string && path == "length" || CollectionOperator.isWritten(path)
      if !isAllowed {
        fault(path, "\(attribute.name) is an attribute, so \(path) cannot follow it")
      }
      return .unknown
    }
    let key = String(path.prefix { $0 != "." })
    let rest = path.dropFirst(key.count + 1)
    guard let element = attribute.elements.first(where: { $0.name == key }) else {
      let hint = MappingResolver.hint(key, among: attribute.elements.map(\.name))
      fault(key, "\(attribute.name) has no element \(key)\(hint)")
      return .unknown
    }
    return rest.isEmpty ? .attribute(element) : beyond(element, String(rest))
  }
}

extension ManagedObjectModel {
  /// Whether an entity has a property with a name, own or inherited.
  func has(_ property: String, in entity: EntityDescription) -> Bool {
    attribute(named: property, of: entity) != nil
      || relationship(named: property, of: entity) != nil
  }
}
