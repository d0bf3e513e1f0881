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
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    let collections = values(of: node, rows, in: frame).map { Self.collection($0) }
    let inner = Self.frame(of: collections, rows, in: frame)
    var found = values(of: body, Array(0..<inner.count), in: inner.frame).makeIterator()
    return collections.map { collection in
      guard let collection else { return .null }
      let results = collection.elements.map { element in
        if case .object = element { found.next() ?? .null } else { EvaluatedValue.null }
      }
      return .collection(ValueCollection(collection.kind, results))
    }
  }

  mutating func valuesOfObjects(
    _ node: ExpressionNode,
    _ body: ExpressionNode,
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    let objects = values(of: node, rows, in: frame)
    let inner = Self.frame(of: objects.map { Self.collection($0) }, rows, in: frame)
    var found = values(of: body, Array(0..<inner.count), in: inner.frame).makeIterator()
    return objects.map { object in
      if case .object = object { found.next() ?? .null } else { .null }
    }
  }

  mutating func selected(
    _ node: ExpressionNode,
    _ condition: PredicateNode,
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    let collections = values(of: node, rows, in: frame).map { Self.collection($0) }
    let inner = Self.frame(of: collections, rows, in: frame)
    var truths = truths(of: condition, Array(0..<inner.count), in: inner.frame).makeIterator()
    return collections.map { collection in
      guard let collection else { return .null }
      let kept = collection.elements.filter { element in
        if case .object = element { truths.next() ?? false } else { false }
      }
      return .collection(ValueCollection(collection.kind, kept))
    }
  }

  /// The frame of all objects in some collections, one collection for each row.
  private static func frame(
    of collections: [ValueCollection?],
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> (frame: EvaluationFrame, count: Int) {
    var objects: [(row: Int, ordinal: Int, object: ObjectValue)] = []
    for (collection, row) in zip(collections, rows) {
      for (ordinal, element) in (collection?.elements ?? []).enumerated() {
        if case .object(let object) = element { objects.append((row, ordinal, object)) }
      }
    }
    return (EvaluationFrame(objects, in: frame), objects.count)
  }

  mutating func combined(
    _ operation: ValueExpression.SetOperation,
    _ first: ExpressionNode,
    with second: ExpressionNode,
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    let left = values(of: first, rows, in: frame)
    let right = values(of: second, rows, in: frame)
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
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    if symbol == .size, let chain = Self.streamedChain(node, rows, in: frame) {
      return folded(.count, node, through: chain, rows, in: frame)
    }
    return values(of: node, rows, in: frame).map { value in
      let elements = Self.collection(value)?.elements ?? []
      switch symbol {
      case .first: return elements.first ?? .null
      case .last: return elements.last ?? .null
      case .size: return .attribute(.integer(Int64(elements.count)))
      }
    }
  }
}
