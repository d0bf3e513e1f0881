internal import BulkModel

extension Evaluator {
  /// The value as a collection; a single value is a collection of one, nil is empty.
  static func collection(_ value: EvaluatedValue) -> ValueCollection? {
    switch value {
    case .collection(let collection): collection
    case .attribute(.null): nil
    case .attribute, .object: ValueCollection(.array, [value])
    }
  }

  mutating func mapped(
    _ node: ExpressionNode,
    _ body: ExpressionNode,
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    let collections = values(of: node, rows).map { Self.collection($0) }
    var found = values(of: body, Self.elements(collections, rows), in: rows.frame).makeIterator()
    return collections.map { collection in
      guard let collection else { return .null }
      let results = collection.elements.map { _ in found.next() ?? .null }
      return .collection(ValueCollection(collection.kind, results))
    }
  }

  mutating func valuesOfObjects(
    _ node: ExpressionNode,
    _ body: ExpressionNode,
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    let objects = zip(rows, values(of: node, rows)).map { (row: $0.number, ordinal: 0, value: $1) }
    return values(of: body, objects, in: rows.frame)
  }

  mutating func selected(
    _ node: ExpressionNode,
    _ condition: PredicateNode,
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    let collections = values(of: node, rows).map { Self.collection($0) }
    let elements = Self.elements(collections, rows)
    var truths = truths(of: condition, elements, in: rows.frame).makeIterator()
    return collections.map { collection in
      guard let collection else { return .null }
      let kept = collection.elements.filter { _ in truths.next() ?? false }
      return .collection(ValueCollection(collection.kind, kept))
    }
  }

  /// An element of a collection that belongs to a row, and its ordinal there.
  typealias Element = (row: Int, ordinal: Int, value: EvaluatedValue)

  /// The elements of some collections, one collection for each row.
  private static func elements(
    _ collections: [ValueCollection?],
    _ rows: EvaluationRows
  ) -> [Element] {
    zip(rows, collections).flatMap { row, collection in
      (collection?.elements ?? []).enumerated().map { (row.number, $0, $1) }
    }
  }

  /// The values of a node for elements, nil for those that have no inputs.
  mutating func values(
    of body: ExpressionNode,
    _ elements: [Element],
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    let found = values(of: body, EvaluationFrame(elements, in: frame).rows)
    return Self.results(found, elements, without: .null)
  }

  /// Whether a predicate holds for elements, `false` for those that have no inputs.
  mutating func truths(
    of condition: PredicateNode,
    _ elements: [Element],
    in frame: EvaluationFrame
  ) -> [Bool] {
    let found = truths(of: condition, EvaluationFrame(elements, in: frame).rows)
    return Self.results(found, elements, without: false)
  }

  private static func results<Value>(
    _ found: [Value],
    _ elements: [Element],
    without other: Value
  ) -> [Value] {
    var found = found.makeIterator()
    return elements.map { element in
      element.value.inputs == nil ? other : found.next() ?? other
    }
  }

  mutating func combined(
    _ operation: ValueExpression.SetOperation,
    _ first: ExpressionNode,
    with second: ExpressionNode,
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    let left = values(of: first, rows)
    let right = values(of: second, rows)
    return zip(left, right).map { left, right in
      guard let left = Self.collection(left), let right = Self.collection(right) else {
        return .null
      }
      let others = Set(right.elements.map { ValueIdentity($0) })
      let elements =
        switch operation {
        case .union: left.elements + right.elements
        case .intersect: left.elements.filter { others.contains(ValueIdentity($0)) }
        case .minus: left.elements.filter { !others.contains(ValueIdentity($0)) }
        }
      return .collection(ValueCollection(.set, elements))
    }
  }

  mutating func named(
    _ symbol: ValueExpression.Symbol,
    _ node: ExpressionNode,
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    if symbol == .size, let chain = Self.streamedChain(node, rows) {
      return folded(.count, node, through: chain, rows)
    }
    return values(of: node, rows).map { value in
      let elements = Self.collection(value)?.elements ?? []
      switch symbol {
      case .first: return elements.first ?? .null
      case .last: return elements.last ?? .null
      case .size: return .attribute(.integer(Int64(elements.count)))
      }
    }
  }
}
