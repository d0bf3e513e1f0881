internal import BulkModel
internal import BulkPlatform

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

/// Sorts collections of texts, of numbers or of dates, as `sortedArrayUsingSelector:` does.
struct ElementOrder {
  private let arguments: MethodArguments
  private let method: TextOrder.Method

  init(_ arguments: MethodArguments) throws(EvaluationFailure) {
    let name = try arguments.text(0)
    guard let method = TextOrder.Method(rawValue: name) else {
      throw EvaluationFailure(
        "\(arguments.selector) takes \(MethodRule.Parameter.selector.expected), not \(name)"
      )
    }
    self.arguments = arguments
    self.method = method
  }

  /// The elements in ascending order; equal ones keep their order.
  func sorted(_ collection: ValueCollection) throws(EvaluationFailure) -> ValueCollection {
    let elements = collection.elements
    try arguments.memory.takeElements(2 * elements.count, arguments.selector)
    if let texts = try keys(elements, text) {
      return sorted(elements, by: texts) { $0.lexicographicallyPrecedes($1) }
    }
    if method == .compare, let numbers = try keys(elements, number) {
      return sorted(elements, by: numbers) { $0.compare($1) == .orderedAscending }
    }
    if method == .compare, let dates = try keys(elements, date) {
      return sorted(elements, by: dates) { $0 < $1 }
    }
    let kinds = Set(elements.map(\.kind)).sorted().joined(separator: ", ")
    throw EvaluationFailure("\(arguments.selector) by \(method.rawValue) cannot order \(kinds)")
  }

  /// The keys of all elements; `nil` if one has none.
  private func keys<Key>(
    _ elements: [EvaluatedValue],
    _ key: (EvaluatedValue) throws(EvaluationFailure) -> Key?
  ) throws(EvaluationFailure) -> [Key]? {
    var keys: [Key] = []
    for element in elements {
      guard let key = try key(element) else { return nil }
      keys.append(key)
    }
    return keys
  }

  private func text(_ element: EvaluatedValue) throws(EvaluationFailure) -> [UInt8]? {
    guard let text = TextMethod.receiver(element) else { return nil }
    // A decomposed text has at most three times the bytes.
    try arguments.memory.take(3 * text.utf8.count, arguments.selector)
    return TextOrder(method).key(text)
  }

  private func number(_ element: EvaluatedValue) -> Number? { NumberMethod.receiver(element) }

  private func date(_ element: EvaluatedValue) -> Double? { DateMethod.receiver(element) }

  private func sorted<Key>(
    _ elements: [EvaluatedValue],
    by keys: [Key],
    _ precedes: (Key, Key) -> Bool
  ) -> ValueCollection {
    let places = elements.indices.sorted { first, second in
      if precedes(keys[first], keys[second]) { return true }
      return !precedes(keys[second], keys[first]) && first < second
    }
    return ValueCollection(.array, places.map { elements[$0] })
  }
}
