internal import BulkModel

/// The bounds that a model sets to an attribute's values, read from its validation predicates.
struct AttributeLimits: Sendable {
  private var low: Double?
  private var high: Double?
  private var shortest: Int?
  private var longest: Int?

  init(_ attribute: AttributeDescription) {
    for case .comparison(let comparison) in attribute.validationPredicates {
      guard let bound = Self.number(comparison.right) else { continue }
      let isLeast = comparison.operator == .greaterThanOrEqualTo
      guard isLeast || comparison.operator == .lessThanOrEqualTo else { continue }
      if comparison.left == .evaluatedObject {
        if isLeast { low = bound } else { high = bound }
      } else if case .keyPath("length", of: _) = comparison.left {
        if isLeast { shortest = Int(exactly: bound) } else { longest = Int(exactly: bound) }
      }
    }
  }

  private static func number(_ expression: ValueExpression) -> Double? {
    if case .constant(.integer(let value)) = expression { return Double(value) }
    if case .constant(.double(let value)) = expression { return value }
    return nil
  }

  /// The integers that are allowed, of those that a type can hold.
  func integers(within type: ClosedRange<Int64>) -> ClosedRange<Int64> {
    let lower = low.flatMap { Int64(exactly: $0.rounded(.up)) } ?? type.lowerBound
    let upper = high.flatMap { Int64(exactly: $0.rounded(.down)) } ?? type.upperBound
    let first = max(lower, type.lowerBound)
    return first...max(first, min(upper, type.upperBound))
  }

  /// The lengths in characters that are allowed.
  var length: ClosedRange<Int> {
    let first = min(max(shortest ?? 0, 0), 100_000)
    return first...max(first, longest ?? Int.max)
  }
}
