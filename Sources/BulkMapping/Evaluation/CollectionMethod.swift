internal import BulkModel

/// The methods of `NSArray`, `NSSet` and `NSOrderedSet`.
enum CollectionMethod: String, Hashable, Sendable, CaseIterable {
  case joined = "componentsJoinedByString:"
}

extension CollectionMethod: ReceiverMethod {
  static func receiver(_ value: EvaluatedValue) -> ValueCollection? {
    if case .collection(let collection) = value { collection } else { nil }
  }

  static func isReceiver(_ type: ExpressionType) -> Bool { ExpressionCompiler.isCollection(type) }

  var rule: MethodRule {
    switch self {
    case .joined:
      MethodRule(
        .text,
        gives: .type(.string),
        mayFail: true,
        of: "{'a', 'b'}",
        with: "', '",
        is: "'a, b'"
      )
    }
  }

  func value(
    of collection: ValueCollection,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch self {
    case .joined: .text(try joined(collection, arguments))
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
