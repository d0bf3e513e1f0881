internal import BulkSupport
internal import BulkModel

extension ExpressionCompiler {
  mutating func predicate(_ predicate: ValuePredicate) throws(ExpressionFault) -> PredicateNode {
    try deeper { compiler throws(ExpressionFault) in
      switch predicate {
      case .constant(let value): return .constant(value)
      case .comparison(let comparison): return try compiler.comparison(comparison)
      case .not(let part): return .not(try compiler.predicate(part))
      case .and(let parts): return .and(try compiler.predicates(parts, reachedIf: true))
      case .or(let parts): return .or(try compiler.predicates(parts, reachedIf: false))
      }
    }
  }

  /// Compiles parts of which each is evaluated only if those before it hold, or if they do not.
  private mutating func predicates(
    _ parts: [ValuePredicate],
    reachedIf hold: Bool
  ) throws(ExpressionFault) -> [PredicateNode] {
    let outer = known
    defer { known = outer }
    var nodes: [PredicateNode] = []
    for part in parts {
      do throws(ExpressionFault) {
        nodes.append(try predicate(part))
      } catch {
        _ = try substitute(after: error)
      }
      known.add(part, holds: hold)
    }
    return nodes
  }

  private mutating func comparison(
    _ comparison: ValuePredicate.Comparison
  ) throws(ExpressionFault) -> PredicateNode {
    let left = try side(comparison.left, comparedWith: comparison.right)
    let right = try side(comparison.right, comparedWith: comparison.left)
    let compared = ComparisonNode(
      left: left,
      operator: comparison.operator,
      right: right,
      modifier: comparison.modifier,
      options: comparison.options
    )
    let element = try elementType(of: left, comparison.modifier)
    try check(element, comparison.operator, right)
    if comparison.operator == .matches { try checkPattern(right, comparison.options) }
    guard left.constantValue != nil, right.constantValue != nil else {
      return .comparison(compared)
    }
    let truth = try Evaluator.constant { $0.truths(of: .comparison(compared), $1) }
    return .constant(truth ?? false)
  }

  /// A side of a comparison; to compare a binary value with nil takes none of its bytes.
  private mutating func side(
    _ expression: ValueExpression,
    comparedWith other: ValueExpression
  ) throws(ExpressionFault) -> ExpressionNode {
    readsPresence = other.isNil && expression.isKeyPath
    defer { readsPresence = false }
    return try node(expression)
  }

  private mutating func elementType(
    of left: ExpressionNode,
    _ modifier: ValuePredicate.Modifier
  ) throws(ExpressionFault) -> ExpressionType {
    guard modifier != .direct else { return left.type }
    let word = modifier == .all ? "ALL" : "ANY"
    try require(left.type, \.isCollection, word, expected: "a collection")
    return left.type.element
  }

  private mutating func check(
    _ left: ExpressionType,
    _ operator: ValuePredicate.Operator,
    _ right: ExpressionNode
  ) throws(ExpressionFault) {
    let subject = `operator`.text
    switch `operator` {
    case .equalTo, .notEqualTo: try alike(left, right.type, subject)
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      try ordered(left, subject)
      try alike(left, right.type, subject)
    case .between:
      try ordered(left, subject)
      guard right.type != .null else { return }
      guard case .collection(let ends) = right.type, Self.mayBePair(right) else {
        throw .wrongType(of: subject, found: right.type, expected: "two values in braces")
      }
      try alike(left, ends, subject)
    case .in: try membership(of: left, in: right.type, subject)
    case .contains: try membership(of: right.type, in: left, subject)
    case .matches, .like, .beginsWith, .endsWith:
      for side in [left, right.type] {
        try require(side, { $0 == .string }, subject, expected: "strings")
      }
    }
  }

  private static func mayBePair(_ node: ExpressionNode) -> Bool {
    if case .aggregate(let elements) = node.operation { return elements.count == 2 }
    guard case .collection(let collection)? = node.constantValue else { return true }
    return collection.elements.count == 2
  }

  private mutating func membership(
    of element: ExpressionType,
    in collection: ExpressionType,
    _ subject: String
  ) throws(ExpressionFault) {
    let isWhole = { (type: ExpressionType) in type.isCollection || type == .string }
    try require(collection, isWhole, subject, expected: "a collection or a string")
    try alike(element, collection.isCollection ? collection.element : collection, subject)
  }

  /// Rejects a comparison of types that can never be equal.
  private mutating func alike(
    _ first: ExpressionType,
    _ second: ExpressionType,
    _ subject: String
  ) throws(ExpressionFault) {
    if first.isOpen || second.isOpen { return }
    if first.isCollection, second.isCollection {
      return try alike(first.element, second.element, subject)
    }
    guard first.comparisonKind == second.comparisonKind else {
      throw .wrongType(of: subject, found: second, expected: "on its other side \(first)")
    }
  }

  private mutating func ordered(
    _ type: ExpressionType,
    _ subject: String
  ) throws(ExpressionFault) {
    let hasOrder = { (type: ExpressionType) in
      type.isNumber || type == .string || type == .date
    }
    try require(type, hasOrder, subject, expected: "numbers, strings or dates")
  }

  private func checkPattern(
    _ node: ExpressionNode,
    _ options: ValuePredicate.Options
  ) throws(ExpressionFault) {
    guard case .attribute(.string(let pattern))? = node.constantValue else { return }
    do throws(RegularExpressionFault) {
      _ = try TextPattern(regularExpression: pattern, options)
    } catch {
      throw .badPattern(pattern, error)
    }
  }
}

extension ValueExpression {
  /// Whether it is nil, or a collection of nothing else.
  fileprivate var isNil: Bool {
    switch self {
    case .constant(let value): value == .null
    case .aggregate(let elements): elements.allSatisfy(\.isNil)
    default: false
    }
  }

  /// Whether it is a value at the end of keys alone.
  fileprivate var isKeyPath: Bool {
    switch self {
    case .variable, .evaluatedObject: true
    case .keyPath(let path, let target): !path.contains("@") && target.isKeyPath
    case .function(let target, let selector, _):
      KeyedSelector(rawValue: selector) != nil && target.isKeyPath
    default: false
    }
  }
}

extension ExpressionType {
  /// The types grouped by which can be equal.
  var comparisonKind: String {
    switch self {
    case .boolean, .integer, .double, .decimal, .number: "number"
    case .object: "object"
    case .collection: "collection"
    case .binary, .transformable: "bytes"
    case .null, .string, .date, .uuid, .uri, .composite, .unknown: "\(self)"
    }
  }
}
