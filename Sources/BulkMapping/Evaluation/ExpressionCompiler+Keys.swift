internal import BulkSupport
internal import BulkModel

/// Key paths, following the rules of key-value coding.
extension ExpressionCompiler {
  mutating func keys(
    _ names: ArraySlice<String>,
    of operand: Operand
  ) throws(ExpressionFault) -> Operand {
    var operand = operand
    var rest = names
    while let name = rest.first {
      if name == "self" || name == "SELF" {
        rest = rest.dropFirst()
        continue
      }
      switch operand {
      case .path(let path): (operand, rest) = try step(rest, from: path)
      case .node(let node, let members):
        (operand, rest) = try step(rest, from: node, members)
      }
    }
    return operand
  }

  private typealias Step = (operand: Operand, rest: ArraySlice<String>)

  private mutating func step(
    _ names: ArraySlice<String>,
    from path: ObjectPath
  ) throws(ExpressionFault) -> Step {
    let name = names.first ?? ""
    let rest = names.dropFirst()
    guard !CollectionOperator.isWritten(name) else {
      throw .keyOfValue(name, .object(entity: path.entity.name))
    }
    if let attribute = model.attribute(named: name, of: path.entity) {
      return try step(rest, to: attribute, of: path)
    }
    guard
      let (_, relationship) = model.relationship(named: name, of: path.entity),
      let target = model.entity(named: relationship.destinationEntityName)
    else { return (.node(try objectID(name, of: path)), rest) }
    guard !relationship.isTransient else {
      throw .transientKey(name, entity: path.entity.name)
    }
    let next = path.path + [name]
    guard relationship.isToMany else {
      let object = ObjectPath(
        scope: path.scope,
        level: path.level,
        path: next,
        entity: target,
        mayBeNil: !isPresent(next, of: path) && (path.mayBeNil || relationship.isOptional)
      )
      return (.path(object), rest)
    }
    let objects = SourceInput.Content.objects(
      entity: target.name,
      isOrdered: relationship.isOrdered
    )
    let (index, members) = path.scope.index(next, objects, members: target)
    let type = ExpressionType.collection(of: .object(entity: target.name))
    return (.node(input(index, of: path, type, mayBeNil: path.mayBeNil), members: members), rest)
  }

  private func step(
    _ names: ArraySlice<String>,
    to attribute: AttributeDescription,
    of path: ObjectPath
  ) throws(ExpressionFault) -> Step {
    guard !attribute.isTransient else {
      throw .transientKey(attribute.name, entity: path.entity.name)
    }
    var found = attribute
    var key = attribute.name
    var rest = names
    var mayBeNil = path.mayBeNil || attribute.isOptional
    while found.attributeType == .composite, let name = rest.first {
      guard let next = found.elements.first(where: { $0.name == name }) else {
        let nearest = NearestName.of(name, among: found.elements.map(\.name))
        let hint = ExpressionFault.suggestion(nearest)
        throw .unknownKey(name, entity: found.compositeName ?? found.name, hint: hint)
      }
      found = next
      key += ".\(name)"
      mayBeNil = mayBeNil || next.isOptional
      rest = rest.dropFirst()
    }
    let isBinary = found.attributeType.kind == .binary || found.allowsExternalBinaryDataStorage
    let content: SourceInput.Content =
      readsPresence && isBinary ? .presence : .attribute(found.attributeType)
    let keys = path.path + [key]
    let index = path.scope.index(keys, content).index
    let type = ExpressionType(found.attributeType)
    let written = path.path + [attribute.name] + names.dropLast(rest.count)
    let isNil = mayBeNil && !isPresent(written, of: path)
    return (.node(input(index, of: path, type, mayBeNil: isNil)), rest)
  }

  private mutating func step(
    _ names: ArraySlice<String>,
    from node: ExpressionNode,
    _ members: InputScope?
  ) throws(ExpressionFault) -> Step {
    let name = names.first ?? ""
    switch node.type {
    case .null: return (.node(node), [])
    case .string where name == "length":
      return (.node(try call(.length, [node])), names.dropFirst())
    case .object:
      guard let members else { throw .keyOfValue(name, node.type) }
      let (body, found) = try memberValue(names, of: members)
      let mayBeNil = node.mayBeNil || body.mayBeNil
      return (.value(.of(node, body), body.type, mayBeNil: mayBeNil, members: found), [])
    case .collection, .unknown:
      if CollectionOperator.isWritten(name) { return try operate(names, on: node, members) }
      // A later operator applies to the values of all elements together.
      let path = names.prefix { !CollectionOperator.isWritten($0) }
      return (try map(path, of: node, members), names.dropFirst(path.count))
    case .uri:
      let methods = Function.methods(of: name).filter { $0.parameters == [.uri] }
      guard !methods.isEmpty else { throw .keyOfValue(name, node.type) }
      return (try call(methods, name, of: (node, nil), []), names.dropFirst())
    case .string, .boolean, .integer, .double, .decimal, .number, .date, .binary, .transformable,
      .uuid, .composite:
      throw .keyOfValue(name, node.type)
    }
  }

  private mutating func map(
    _ names: ArraySlice<String>,
    of node: ExpressionNode,
    _ members: InputScope?
  ) throws(ExpressionFault) -> Operand {
    if names.allSatisfy({ $0 == "self" }) { return .node(node, members: members) }
    guard let members, case .collection(of: .object) = node.type else {
      throw .keyOfValue(names.first ?? "", node.type)
    }
    let (body, found) = try memberValue(names, of: members)
    let type = ExpressionType.collection(of: body.type)
    return .value(.map(node, body), type, mayBeNil: node.mayBeNil, members: found)
  }

  private mutating func memberValue(
    _ names: ArraySlice<String>,
    of members: InputScope
  ) throws(ExpressionFault) -> (node: ExpressionNode, members: InputScope?) {
    try inside(members) { compiler, element throws(ExpressionFault) in
      let value = try compiler.keys(names, of: .path(element))
      return compiler.materialized(value)
    }
  }

  /// Applies a collection operator to the values of the path after it.
  private mutating func operate(
    _ names: ArraySlice<String>,
    on node: ExpressionNode,
    _ members: InputScope?
  ) throws(ExpressionFault) -> Step {
    let name = names.first ?? ""
    guard let known = CollectionOperator(rawValue: name) else {
      let nearest = NearestName.of(name, among: CollectionOperator.allCases.map(\.rawValue))
      throw .unknownOperator(name, nearest: nearest)
    }
    let function = Function.applying(known)
    // Core Data ignores the path after `@count`.
    if function == .count { return (.node(try call(.count, [node])), []) }
    // Sums and means are over the elements, whose values may be equal, and not over a set of values.
    let isSum = function == .sum || function == .average
    let elements =
      isSum
      ? ExpressionNode(.call(.unionOfObjects, [node]), node.type, mayBeNil: node.mayBeNil) : node
    var (operand, found) = materialized(
      try keys(names.dropFirst(), of: .node(elements, members: members))
    )
    if function == .average, case .map(let objects, let value) = operand.operation {
      let operation = ExpressionNode.Operation.map(objects, value.orZero)
      operand = ExpressionNode(operation, operand.type, mayBeNil: operand.mayBeNil)
    }
    return (.node(try call(function, [operand]), members: found), [])
  }

  /// The identity of the source object, the only key that is not a property.
  private func objectID(
    _ name: String,
    of path: ObjectPath
  ) throws(ExpressionFault) -> ExpressionNode {
    guard name == "objectID", path.level == 0, path.path.isEmpty else {
      throw unknownKey(name, of: path.entity)
    }
    return ExpressionNode(.objectID(entity: path.entity.name), .uri, mayBeNil: false)
  }

  private func unknownKey(_ name: String, of entity: EntityDescription) -> ExpressionFault {
    let below = model.hierarchy(from: entity).dropFirst().first { entity in
      model.attribute(named: name, of: entity) != nil
        || model.relationship(named: name, of: entity) != nil
    }
    let names =
      model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
    let hint =
      below.map { "; only its subentity \($0.name) has it" }
      ?? ExpressionFault.suggestion(NearestName.of(name, among: names))
    return .unknownKey(name, entity: entity.name, hint: hint)
  }
}

extension ExpressionNode {
  /// Key-value coding counts nil as 0 in a mean.
  fileprivate var orZero: ExpressionNode {
    let isNil = ComparisonNode(
      left: self,
      operator: .equalTo,
      right: .constant(.null),
      modifier: .direct,
      options: []
    )
    let operation = Operation.ternary(
      .comparison(isNil),
      then: .constant(.integer(0)),
      otherwise: self
    )
    return ExpressionNode(operation, type, mayBeNil: false)
  }
}
