internal import BulkModel

/// The values of a source object of which the conditions around a part say something, by their keys from the object.
struct KnownValues {
  /// Those that are not nil.
  private(set) var present: Set<[String]> = []
  /// The texts that match a regular expression.
  private(set) var matching: Set<[String]> = []

  /// Adds what follows from a predicate that holds, or that does not.
  mutating func add(_ predicate: ValuePredicate, holds: Bool) {
    switch predicate {
    case .constant: break
    case .not(let part): add(part, holds: !holds)
    case .and(let parts): if holds { for part in parts { add(part, holds: true) } }
    case .or(let parts): if !holds { for part in parts { add(part, holds: false) } }
    case .comparison(let comparison): add(comparison, holds)
    }
  }

  private mutating func add(_ comparison: ValuePredicate.Comparison, _ holds: Bool) {
    guard comparison.modifier == .direct, let path = comparison.left.sourcePath else { return }
    let isWithNil = comparison.right == .constant(.null)
    // What holds for one value does not hold for nil.
    let excludesNil =
      switch comparison.operator {
      case .notEqualTo: holds == isWithNil
      case .equalTo: holds != isWithNil
      default: holds && !isWithNil
      }
    guard excludesNil, comparison.right.isConstant else { return }
    for count in 1...path.count { present.insert(Array(path.prefix(count))) }
    if comparison.operator == .matches { matching.insert(path) }
  }
}

extension ValueExpression {
  /// The keys that lead to it from the source object; `nil` for other values.
  var sourcePath: [String]? {
    guard case .keyPath(let path, let target) = self, !path.contains("@") else { return nil }
    let keys = path.split(separator: ".").map(String.init)
    if target == .variable("source") || target == .evaluatedObject { return keys }
    return target.sourcePath.map { $0 + keys }
  }

  fileprivate var isConstant: Bool {
    switch self {
    case .constant: true
    case .aggregate(let elements): elements.allSatisfy { $0.isConstant && $0 != .constant(.null) }
    default: false
    }
  }
}
