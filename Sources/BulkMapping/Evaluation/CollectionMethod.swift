internal import BulkModel

/// The methods that `NSArray`, `NSSet` and `NSOrderedSet` have in common, or that mean the same for them.
enum CollectionMethod: String, Hashable, Sendable, CaseIterable {
  case count
  case contains = "containsObject:"
  case all = "allObjects"
  case array
  case set
  case any = "anyObject"
  case joined = "componentsJoinedByString:"
  case sorted = "sortedArrayUsingSelector:"
}

extension CollectionMethod: ReceiverMethod {
  var rule: MethodRule {
    switch self {
    case .count: MethodRule(gives: .type(.count), of: "{5, 5, 6}", is: "3")
    case .contains: MethodRule(.any, gives: .type(.boolean), of: "{5, 6}", with: "6", is: "TRUE")
    case .all, .array: MethodRule(gives: .receiver, of: "{5, 5, 6}", is: "{5, 5, 6}")
    case .set: MethodRule(gives: .receiver, of: "{5, 5, 6}", is: "{5, 6} UNION {}")
    case .any: MethodRule(gives: .element, mayGiveNil: true, of: "{5, 6}", is: "5")
    case .joined:
      MethodRule(
        .text,
        gives: .type(.string),
        mayFail: true,
        of: "{'a', 'b'}",
        with: "', '",
        is: "'a, b'"
      )
    case .sorted:
      MethodRule(
        .selector,
        gives: .receiver,
        mayFail: true,
        of: "{6, 5}",
        with: "'compare:'",
        is: "{5, 6}"
      )
    }
  }

  func value(
    of collection: ValueCollection,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let elements = collection.elements
    switch self {
    case .count: return .integer(Int64(elements.count))
    case .contains:
      let wanted = arguments.values[0]
      return .boolean(elements.contains { $0.isEqual(to: wanted) })
    case .any: return elements.first ?? .null
    case .all, .array:
      try arguments.memory.takeElements(elements.count, rawValue)
      return .collection(ValueCollection(.array, elements))
    case .set:
      // A set looks up every element in a table of all.
      try arguments.memory.takeElements(2 * elements.count, rawValue)
      return .collection(ValueCollection(.set, elements))
    case .joined: return .text(try joined(collection, arguments))
    case .sorted: return .collection(try ElementOrder(arguments).sorted(collection))
    }
  }

  /// The descriptions of the elements with a text between them.
  private func joined(
    _ collection: ValueCollection,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> String {
    let separator = try arguments.text(0)
    var result = ""
    for (place, element) in collection.elements.enumerated() {
      guard case .attribute(let value) = element, let text = CastText.text(of: value) else {
        throw EvaluationFailure("\(rawValue) takes values, not \(element.kind)")
      }
      let separator = place == 0 ? "" : separator
      try arguments.memory.take(separator.utf8.count + text.utf8.count, rawValue)
      result += separator + text
    }
    return result
  }
}

/// The methods of `NSSet`, which depend on no order.
enum SetMethod: String, Hashable, Sendable, CaseIterable {
  case member = "member:"
  case adding = "setByAddingObject:"
  case addingSet = "setByAddingObjectsFromSet:"
  case addingArray = "setByAddingObjectsFromArray:"
  case isSubset = "isSubsetOfSet:"
  case intersects = "intersectsSet:"
  case isEqual = "isEqualToSet:"
}

extension SetMethod: ReceiverMethod {
  var rule: MethodRule {
    switch self {
    case .member:
      MethodRule(.any, gives: .element, mayGiveNil: true, of: "{5, 6}", with: "6", is: "6")
    case .adding:
      MethodRule(
        .any,
        gives: .joint,
        mayFail: true,
        of: "{5}",
        with: "6",
        is: "{5, 6} UNION {}"
      )
    case .addingSet, .addingArray:
      MethodRule(.collection, gives: .joint, of: "{5}", with: "{6}", is: "{5, 6} UNION {}")
    case .isSubset: question("{5}", "{5, 6}")
    case .intersects: question("{5, 6}", "{6, 7}")
    case .isEqual: question("{5, 6}", "{6, 5}")
    }
  }

  private func question(_ receiver: String, _ argument: String) -> MethodRule {
    MethodRule(.collection, gives: .type(.boolean), of: receiver, with: argument, is: "TRUE")
  }

  func value(
    of collection: ValueCollection,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch self {
    case .member:
      let wanted = arguments.values[0]
      return collection.elements.first { $0.isEqual(to: wanted) } ?? .null
    case .adding:
      guard !arguments.values[0].isNull else {
        throw EvaluationFailure("\(rawValue) takes a value, not nil")
      }
      return try set(collection, [arguments.values[0]], arguments)
    case .addingSet, .addingArray:
      return try set(collection, try arguments.collection(0).elements, arguments)
    case .isSubset:
      let (own, other) = try members(collection, arguments)
      return .boolean(own.isSubset(of: other))
    case .intersects:
      let (own, other) = try members(collection, arguments)
      return .boolean(!own.isDisjoint(with: other))
    case .isEqual:
      let (own, other) = try members(collection, arguments)
      return .boolean(own == other)
    }
  }

  private func set(
    _ collection: ValueCollection,
    _ others: [EvaluatedValue],
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let elements = collection.elements + others
    try arguments.memory.takeElements(2 * elements.count, rawValue)
    return .collection(ValueCollection(.set, elements))
  }

  private func members(
    _ collection: ValueCollection,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> (Set<ValueIdentity>, Set<ValueIdentity>) {
    let other = try arguments.collection(0)
    let count = collection.elements.count + other.elements.count
    try arguments.memory.takeElements(count, rawValue)
    return (
      Set(collection.elements.map { ValueIdentity($0) }),
      Set(other.elements.map { ValueIdentity($0) })
    )
  }
}
