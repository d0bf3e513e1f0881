internal import BulkModel

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
  static func receiver(_ value: EvaluatedValue) -> ValueCollection? {
    CollectionMethod.receiver(value)
  }

  func isReceived(by type: ExpressionType) -> Bool { ExpressionCompiler.isCollection(type) }

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
