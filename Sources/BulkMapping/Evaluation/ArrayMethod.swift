internal import BulkModel

/// The methods of `NSArray` and `NSOrderedSet` that depend on an order.
enum ArrayMethod: String, Hashable, Sendable, CaseIterable {
  case element = "objectAtIndex:"
  case first = "firstObject"
  case last = "lastObject"
  case index = "indexOfObject:"
  case part = "subarrayWithRange:"
  case adding = "arrayByAddingObject:"
  case addingAll = "arrayByAddingObjectsFromArray:"
  case firstCommon = "firstObjectCommonWithArray:"
  case reversed = "reversedOrderedSet"
  case isEqual = "isEqualToArray:"
}

extension ArrayMethod: ReceiverMethod {
  static func receiver(_ value: EvaluatedValue) -> ValueCollection? {
    CollectionMethod.receiver(value)
  }

  func isReceived(by type: ExpressionType) -> Bool { ExpressionCompiler.isCollection(type) }

  var rule: MethodRule {
    switch self {
    case .element:
      MethodRule(.integer, gives: .element, mayFail: true, of: "{5, 6}", with: "1", is: "6")
    case .first: MethodRule(gives: .element, mayGiveNil: true, of: "{5, 6}", is: "5")
    case .last: MethodRule(gives: .element, mayGiveNil: true, of: "{5, 6}", is: "6")
    case .index: MethodRule(.any, gives: .type(.count), of: "{5, 6}", with: "6", is: "1")
    case .part:
      MethodRule(
        .range,
        gives: .receiver,
        mayFail: true,
        of: "{5, 6, 7}",
        with: "{1, 2}",
        is: "{6, 7}"
      )
    case .adding:
      MethodRule(.any, gives: .joint, mayFail: true, of: "{5}", with: "6", is: "{5, 6}")
    case .addingAll:
      MethodRule(.collection, gives: .joint, of: "{5}", with: "{6}", is: "{5, 6}")
    case .firstCommon:
      MethodRule(
        .collection,
        gives: .element,
        mayGiveNil: true,
        of: "{5, 6}",
        with: "{7, 6}",
        is: "6"
      )
    case .reversed: MethodRule(gives: .receiver, of: "{5, 6}", is: "{6, 5}")
    case .isEqual:
      MethodRule(.any, gives: .type(.boolean), of: "{5, 6}", with: "{5, 6}", is: "TRUE")
    }
  }

  func value(
    of collection: ValueCollection,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let elements = collection.elements
    switch self {
    case .element:
      return try FunctionCall.result(of: .element, .collection(collection), arguments.values[0])
    case .first: return elements.first ?? .null
    case .last: return elements.last ?? .null
    case .index:
      let wanted = arguments.values[0]
      return .integer(elements.firstIndex { $0.isEqual(to: wanted) }.map { Int64($0) } ?? .max)
    case .part:
      let bounds = try arguments.range(0).bounds(within: elements.count, rawValue)
      try arguments.memory.takeElements(bounds.count, rawValue)
      return .collection(ValueCollection(.array, Array(elements[bounds])))
    case .adding:
      guard !arguments.values[0].isNull else {
        throw EvaluationFailure("\(rawValue) takes a value, not nil")
      }
      return try array(elements, [arguments.values[0]], arguments)
    case .addingAll: return try array(elements, try arguments.collection(0).elements, arguments)
    case .firstCommon:
      let others = Set(try arguments.collection(0).elements.map { ValueIdentity($0) })
      return elements.first { others.contains(ValueIdentity($0)) } ?? .null
    case .reversed:
      try arguments.memory.takeElements(elements.count, rawValue)
      return .collection(ValueCollection(collection.kind, elements.reversed()))
    case .isEqual:
      guard let other = Self.receiver(arguments.values[0]) else { return .boolean(false) }
      let pairs = zip(elements, other.elements)
      return .boolean(
        elements.count == other.elements.count && pairs.allSatisfy { $0.isEqual(to: $1) }
      )
    }
  }

  private func array(
    _ elements: [EvaluatedValue],
    _ others: [EvaluatedValue],
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    try arguments.memory.takeElements(elements.count + others.count, rawValue)
    return .collection(ValueCollection(.array, elements + others))
  }
}
