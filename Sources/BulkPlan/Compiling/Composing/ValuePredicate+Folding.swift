internal import BulkModel

extension ValuePredicate {
  /// The predicate without parts that are true or false for every object.
  ///
  /// A property that a step adds is a constant, so nothing may remain to test.
  var folded: ValuePredicate {
    switch self {
    case .constant: return self
    case .comparison(let comparison):
      return comparison.truth.map { .constant($0) } ?? self
    case .not(let part):
      if case .constant(let truth) = part.folded { return .constant(!truth) }
      return .not(part.folded)
    case .and(let parts): return Self.folded(parts, decidedBy: false) { .and($0) }
    case .or(let parts): return Self.folded(parts, decidedBy: true) { .or($0) }
    }
  }

  private static func folded(
    _ parts: [ValuePredicate],
    decidedBy truth: Bool,
    _ joined: ([ValuePredicate]) -> ValuePredicate
  ) -> ValuePredicate {
    let parts = parts.map(\.folded)
    if parts.contains(.constant(truth)) { return .constant(truth) }
    let open = parts.filter { $0 != .constant(!truth) }
    switch open.count {
    case 0: return .constant(!truth)
    case 1: return open[0]
    default: return joined(open)
    }
  }
}

extension ValuePredicate.Comparison {
  /// `nil` for any comparison but that of constants with nil.
  fileprivate var truth: Bool? {
    guard modifier == .direct, case .constant(let first) = left, case .constant(let second) = right,
      first == .null || second == .null
    else { return nil }
    switch `operator` {
    case .equalTo: return first == second
    case .notEqualTo: return first != second
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .matches, .like,
      .beginsWith, .endsWith, .in, .contains, .between:
      return nil
    }
  }
}
