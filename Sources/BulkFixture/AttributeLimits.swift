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
      switch (comparison.left, comparison.operator) {
      case (.evaluatedObject, .greaterThanOrEqualTo): low = bound
      case (.evaluatedObject, .lessThanOrEqualTo): high = bound
      case (.keyPath("length", of: _), .greaterThanOrEqualTo): shortest = Int(exactly: bound)
      case (.keyPath("length", of: _), .lessThanOrEqualTo): longest = Int(exactly: bound)
      default: continue
      }
    }
  }

  private static func number(_ expression: ValueExpression) -> Double? {
    switch expression {
    case .constant(.integer(let value)): Double(value)
    case .constant(.double(let value)): value
    default: nil
    }
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
