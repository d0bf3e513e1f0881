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
