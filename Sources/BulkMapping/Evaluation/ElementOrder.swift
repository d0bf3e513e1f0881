internal import BulkPlatform

/// Sorts collections of texts, of numbers or of dates, as `sortedArrayUsingSelector:` does.
struct ElementOrder {
  private let arguments: MethodArguments
  private let method: TextOrder.Method

  init(_ arguments: MethodArguments) throws(EvaluationFailure) {
    let name = try arguments.text(0)
    guard let method = TextOrder.Method(rawValue: name) else {
      throw arguments.failure("takes \(MethodParameter.selector.expected), not \(name)")
    }
    self.arguments = arguments
    self.method = method
  }

  /// The elements in ascending order; equal ones keep their order.
  func sorted(_ collection: ValueCollection) throws(EvaluationFailure) -> ValueCollection {
    let elements = collection.elements
    try arguments.takeElements(2 * elements.count)
    if let texts = try keys(elements, text) {
      return sorted(elements, by: texts) { $0.lexicographicallyPrecedes($1) }
    }
    if method == .compare, let numbers = try keys(elements, FoundationMethod.number.receiver) {
      return sorted(elements, by: numbers) { $0.compare($1) == .orderedAscending }
    }
    if method == .compare, let dates = try keys(elements, FoundationMethod.date.receiver) {
      return sorted(elements, by: dates) { $0 < $1 }
    }
    let kinds = Set(elements.map(\.kind)).sorted().joined(separator: ", ")
    throw arguments.failure("by \(method.rawValue) cannot order \(kinds)")
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
    guard let text = FoundationMethod.text.receiver(element) else { return nil }
    // A decomposed text has at most three times the bytes.
    try arguments.take(3 * text.utf8.count)
    return TextOrder(method).key(text)
  }

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
