/// The methods that `NSArray`, `NSSet` and `NSOrderedSet` have in common, or that mean the same for them.
extension FoundationMethod {
  private static let collection = ReceiverClass<ValueCollection>(
    isReceived: \.isCollection,
    receiver: { if case .collection(let collection) = $0 { collection } else { nil } }
  )

  static let collections: [ExampleRow<FoundationMethod>] = [
    collection("count", gives: .count) { collection, _ in
      .integer(Int64(collection.elements.count))
    }.example("{5, 5, 6}", is: "3"),
    collection("containsObject:", .any, gives: .boolean) { collection, call in
      let wanted = call.values[0]
      return .boolean(collection.elements.contains { $0.isEqual(to: wanted) })
    }.example("{5, 6}", "6", is: "TRUE"),
    collection("allObjects", gives: .receiver) { try $1.array($0.elements) }
      .example("{5, 5, 6}", is: "{5, 5, 6}"),
    collection("array", gives: .receiver) { try $1.array($0.elements) }
      .example("{5, 5, 6}", is: "{5, 5, 6}"),
    collection("set", gives: .receiver) { try $1.set($0.elements) }
      .example("{5, 5, 6}", is: "{5, 6} UNION {}"),
    collection("anyObject", gives: .element.orNil) { collection, _ in
      collection.elements.first ?? .null
    }.example("{5, 6}", is: "5"),
    collection("componentsJoinedByString:", .text, gives: .text.orFailure, joined)
      .example("{'a', 'b'}", "', '", is: "'a, b'"),
    collection("sortedArrayUsingSelector:", .selector, gives: .receiver.orFailure) {
      .collection(try ElementOrder($1).sorted($0))
    }.example("{6, 5}", "'compare:'", is: "{5, 6}"),
  ]

  /// The descriptions of the elements with a text between them.
  @Sendable
  private static func joined(
    _ collection: ValueCollection,
    _ call: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let separator = try call.text(0)
    var result = ""
    for (place, element) in collection.elements.enumerated() {
      guard case .attribute(let value) = element, let text = CastText.text(of: value) else {
        throw call.failure("takes values, not \(element.kind)")
      }
      let separator = place == 0 ? "" : separator
      try call.take(separator.utf8.count + text.utf8.count)
      result += separator + text
    }
    return .text(result)
  }
}

/// The methods of `NSArray` and `NSOrderedSet` that depend on an order.
extension FoundationMethod {
  static let arrays: [ExampleRow<FoundationMethod>] = [
    collection("objectAtIndex:", .integer, gives: .element.orFailure) {
      try ExpressionFunction.element.value(.collection($0), $1.values[0])
    }.example("{5, 6}", "1", is: "6"),
    collection("firstObject", gives: .element.orNil) { collection, _ in
      collection.elements.first ?? .null
    }.example("{5, 6}", is: "5"),
    collection("lastObject", gives: .element.orNil) { collection, _ in
      collection.elements.last ?? .null
    }.example("{5, 6}", is: "6"),
    collection("indexOfObject:", .any, gives: .count) { collection, call in
      let place = collection.elements.firstIndex { $0.isEqual(to: call.values[0]) }
      return .integer(place.map { Int64($0) } ?? .max)
    }.example("{5, 6}", "6", is: "1"),
    collection("subarrayWithRange:", .range, gives: .receiver.orFailure) { collection, call in
      let bounds = try call.range(0).bounds(within: collection.elements.count, call.selector)
      return try call.array(collection.elements[bounds])
    }.example("{5, 6, 7}", "{1, 2}", is: "{6, 7}"),
    collection("arrayByAddingObject:", .any, gives: .joint.orFailure) {
      try $1.array($0.elements, adding: [try $1.present(0)])
    }.example("{5}", "6", is: "{5, 6}"),
    collection("arrayByAddingObjectsFromArray:", .collection, gives: .joint) {
      try $1.array($0.elements, adding: try $1.collection(0).elements)
    }.example("{5}", "{6}", is: "{5, 6}"),
    collection("firstObjectCommonWithArray:", .collection, gives: .element.orNil) {
      let others = Set(try $1.collection(0).elements.map { ValueIdentity($0) })
      return $0.elements.first { others.contains(ValueIdentity($0)) } ?? .null
    }.example("{5, 6}", "{7, 6}", is: "6"),
    collection("reversedOrderedSet", gives: .receiver) { collection, call in
      try call.takeElements(collection.elements.count)
      return .collection(ValueCollection(collection.kind, collection.elements.reversed()))
    }.example("{5, 6}", is: "{6, 5}"),
    collection("isEqualToArray:", .any, gives: .boolean) { collection, call in
      guard case .collection(let other) = call.values[0] else { return .boolean(false) }
      return .boolean(collection.elements.elementsEqual(other.elements) { $0.isEqual(to: $1) })
    }.example("{5, 6}", "{5, 6}", is: "TRUE"),
  ]
}

/// The methods of `NSSet`, which do not depend on an order.
extension FoundationMethod {
  static let sets: [ExampleRow<FoundationMethod>] = [
    collection("member:", .any, gives: .element.orNil) { collection, call in
      collection.elements.first { $0.isEqual(to: call.values[0]) } ?? .null
    }.example("{5, 6}", "6", is: "6"),
    collection("setByAddingObject:", .any, gives: .joint.orFailure) {
      try $1.set($0.elements, adding: [try $1.present(0)])
    }.example("{5}", "6", is: "{5, 6} UNION {}"),
    collection("setByAddingObjectsFromSet:", .collection, gives: .joint) {
      try $1.set($0.elements, adding: try $1.collection(0).elements)
    }.example("{5}", "{6}", is: "{5, 6} UNION {}"),
    collection("setByAddingObjectsFromArray:", .collection, gives: .joint) {
      try $1.set($0.elements, adding: try $1.collection(0).elements)
    }.example("{5}", "{6}", is: "{5, 6} UNION {}"),
    members("isSubsetOfSet:") { $0.isSubset(of: $1) }.example("{5}", "{5, 6}", is: "TRUE"),
    members("intersectsSet:") { !$0.isDisjoint(with: $1) }
      .example("{5, 6}", "{6, 7}", is: "TRUE"),
    members("isEqualToSet:") { $0 == $1 }.example("{5, 6}", "{6, 5}", is: "TRUE"),
  ]

  /// A test of the elements of two sets.
  private static func members(
    _ selector: String,
    _ question: @escaping @Sendable (Set<ValueIdentity>, Set<ValueIdentity>) -> Bool
  ) -> FoundationMethod {
    collection(selector, .collection, gives: .boolean) { collection, call in
      let other = try call.collection(0)
      try call.takeElements(collection.elements.count + other.elements.count)
      let (own, others) = (collection.elements, other.elements)
      return .boolean(
        question(Set(own.map(ValueIdentity.init)), Set(others.map(ValueIdentity.init)))
      )
    }
  }
}

extension MethodArguments {
  /// An argument that must not be nil.
  fileprivate func present(_ place: Int) throws(EvaluationFailure) -> EvaluatedValue {
    guard !values[place].isNull else { throw failure("takes a value, not nil") }
    return values[place]
  }

  fileprivate func array(
    _ elements: some Collection<EvaluatedValue>,
    adding others: [EvaluatedValue] = []
  ) throws(EvaluationFailure) -> EvaluatedValue {
    try takeElements(elements.count + others.count)
    return .collection(ValueCollection(.array, Array(elements) + others))
  }

  fileprivate func set(
    _ elements: [EvaluatedValue],
    adding others: [EvaluatedValue] = []
  ) throws(EvaluationFailure) -> EvaluatedValue {
    // A set looks up every element in a table of all.
    try takeElements(2 * (elements.count + others.count))
    return .collection(ValueCollection(.set, elements + others))
  }
}
