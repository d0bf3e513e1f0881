internal import BulkCoding

/// The predefined functions of expressions, which need no target object.
///
/// Source: `expressionForFunction:arguments:` of Apple's class reference; `canonical:` from that of
/// `NSDerivedAttributeDescription`.
package enum PredefinedFunction {
  /// The selectors, with a colon for each argument.
  package static let selectors = [
    "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
    "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:",
    "sqrt:", "log:", "ln:", "exp:", "floor:", "ceiling:", "abs:", "trunc:",
    "random", "random:", "now", "uppercase:", "lowercase:", "canonical:", "length:",
    "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
    "onesComplement:", "castObject:toType:", "noindex:", "objectFrom:withIndex:",
    "distanceToLocation:fromLocation:",
  ]

  /// The selector of a function whose name is written without colons, as in `sum(x)`.
  static func selector(named name: String, argumentCount: Int) -> String? {
    // The older guide uses this name for the second form of `random`.
    if name == "randomn" { return "random:" }
    let candidates = selectors.filter { $0 == name || $0 == name + ":" }
    return candidates.first { self.argumentCount(of: $0) == argumentCount } ?? candidates.first
  }

  /// The number of arguments of a function.
  package static func argumentCount(of selector: String) -> Int {
    selector.utf8.count { $0 == UInt8(ascii: ":") }
  }

  /// The function with the most similar name; `nil` if none is similar.
  package static func nearest(to name: String) -> String? {
    guard name.utf8.count <= longestSuggested else { return nil }
    let wanted = name.lowercased()
    let ranked = (selectors + ["FUNCTION", "CAST", "TERNARY", "SUBQUERY", "FETCH"]).map { known in
      let compared = name.contains(":") ? known : String(known.prefix { $0 != ":" })
      return (name: known, distance: NearestName.distance(wanted, compared.lowercased()))
    }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, wanted.unicodeScalars.count / 3) ? best.name : nil
  }

  private static let longestSuggested = 48
}

/// The key-value coding messages that expressions send to objects.
package enum KeyedSelector: String, CaseIterable, Sendable {
  case key = "valueForKey:"
  case keyPath = "valueForKeyPath:"
}

/// The collection operators of key paths (Key-Value Coding Programming Guide).
///
/// The raw value is the key.
package enum CollectionOperator: String, CaseIterable, Sendable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// Whether a key has the form of an operator, known or not.
  package static func isWritten(_ key: String) -> Bool { key.hasPrefix("@") }

  /// Whether the operator unites collections and leaves their elements unchanged.
  package var isUnion: Bool {
    switch self {
    case .count, .sum, .average, .minimum, .maximum: false
    case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      true
    }
  }
}
