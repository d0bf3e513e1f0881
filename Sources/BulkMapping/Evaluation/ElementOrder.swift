internal import BulkPlatform

/// Sorts texts, numbers or dates, as `sortedArrayUsingSelector:` does.
struct ElementOrder {
  private let arguments: FunctionArguments
  private let method: TextOrder.Method

  init(_ arguments: FunctionArguments) throws(EvaluationFailure) {
    let name = try arguments.text()
    guard let method = TextOrder.Method(rawValue: name) else {
      throw arguments.failure("takes \(Parameter.selector.expected), not \(name)")
    }
    self.arguments = arguments
    self.method = method
  }

  /// The elements in ascending order; equal ones keep their order.
  func sorted(_ elements: [EvaluatedValue]) throws(EvaluationFailure) -> [EvaluatedValue] {
    let order = TextOrder(method)
    let found =
      sorted(elements, by: { $0.string.map(order.key) }, { $0.lexicographicallyPrecedes($1) })
      ?? (method == .caseInsensitive
        ? nil
        : sorted(elements, by: \.number) { $0.compare($1) == .orderedAscending }
          ?? sorted(elements, by: \.date, <))
    if let found { return found }
    let kinds = Set(elements.map(\.kind)).sorted().joined(separator: ", ")
    throw arguments.failure("by \(method.rawValue) cannot order \(kinds)")
  }

  /// The elements in the order of their keys; `nil` if one has no key.
  private func sorted<Key>(
    _ elements: [EvaluatedValue],
    by key: (EvaluatedValue) -> Key?,
    _ precedes: (Key, Key) -> Bool
  ) -> [EvaluatedValue]? {
    var keys: [Key] = []
    for element in elements {
      guard let key = key(element) else { return nil }
      keys.append(key)
    }
    // The standard library's sort is stable, but does not promise to be.
    return elements.indices.sorted { first, second in
      if precedes(keys[first], keys[second]) { return true }
      return !precedes(keys[second], keys[first]) && first < second
    }.map { elements[$0] }
  }
}
