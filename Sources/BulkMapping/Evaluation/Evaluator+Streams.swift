internal import BulkModel

/// Collections that are too large to hold in memory.
extension Evaluator {
  /// The chain of a node, if the collection at its beginning is streamed for any row.
  static func streamedChain(_ node: ExpressionNode, _ rows: EvaluationRows) -> ElementChain? {
    guard let chain = ElementChain(node) else { return nil }
    return rows.contains { objects(of: chain, $0) != nil } ? chain : nil
  }

  private static func objects(
    of chain: ElementChain,
    _ row: EvaluationRow
  ) -> (StreamedObjects, ValueCollection.Kind)? {
    guard
      case .collection(let collection) = row.value(chain.input, frames: chain.frames),
      let streamed = collection.streamed
    else { return nil }
    return (streamed, collection.kind)
  }

  /// The values of a function of collections, where some are streamed.
  mutating func folded(
    _ function: Function,
    _ node: ExpressionNode,
    through chain: ElementChain,
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    let site = stream.memory?.site(of: function, node, chain)
    return eachRow(rows) { evaluator, index throws(EvaluationFailure) in
      try evaluator.folded(function, node, through: chain, rows[index], site: site)
    }
  }

  private mutating func folded(
    _ function: Function,
    _ node: ExpressionNode,
    through chain: ElementChain,
    _ row: EvaluationRow,
    site: Int?
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let objects = Self.objects(of: chain, row)
    if let site, let objects, let value = stream.memory?.value(site, objects.0) {
      return .attribute(value)
    }
    // Counts and sums of a set count equal values once.
    let needsAll =
      objects?.1 != .array && chain.mayRepeat
      && [.count, .sum, .average].contains(function)
    guard objects != nil, !needsAll, let form = function.fold else {
      let value = values(of: node, row.alone).first ?? .null
      return try function.value(value, FunctionArguments(function.selector, memory)) ?? .null
    }
    var fold = CollectionFold(form, of: function.selector)
    try forEach(chain, row) { element throws(EvaluationFailure) in
      try fold.add(element)
      return true
    }
    let result = try fold.result()
    if let site, let objects, case .attribute(let value) = result {
      stream.memory?.keep(value, site, objects.0)
    }
    return result
  }

  /// Whether a comparison holds for any or for all elements of collections, where some are streamed.
  mutating func streamedTruth(
    of comparison: ComparisonNode,
    _ chain: ElementChain,
    _ row: EvaluationRow,
    _ right: EvaluatedValue
  ) throws(EvaluationFailure) -> Bool {
    guard let objects = Self.objects(of: chain, row)?.0 else {
      let left = values(of: comparison.left, row.alone).first ?? .null
      comparing.options = comparison.options
      return try truth(of: comparison, left, right)
    }
    let decisive = comparison.modifier == .any
    let site = stream.memory?.site(of: comparison, chain)
    if let site, case .boolean(let truth)? = stream.memory?.value(site, objects) { return truth }
    var result = !decisive
    var test = ValueComparison(comparing)
    try forEach(chain, row) { element throws(EvaluationFailure) in
      guard try test.holds(element, comparison.operator, right) == decisive else { return true }
      result = decisive
      return false
    }
    if let site { stream.memory?.keep(.boolean(result), site, objects) }
    return result
  }

  /// The objects of a relationship as a collection in memory, unless there are too many.
  mutating func hold(_ value: EvaluatedValue, _ row: EvaluationRow) -> EvaluatedValue {
    guard case .collection(let collection) = value, let streamed = collection.streamed else {
      return value
    }
    var objects: [ObjectValue] = []
    let limit = stream.heldLimit
    let failure = stream.read(streamed) { page in
      objects += page
      return objects.count <= limit
    }
    if let failure {
      fail(row, failure)
    } else if objects.count > limit {
      fail(
        row,
        "asks for all objects of a relationship at once, of which there are more than \(limit); "
          + "a larger memory limit allows more"
      )
    } else {
      return .collection(ValueCollection(collection.kind, ofDifferent: objects))
    }
    return .null
  }

  /// Calls a body for every element of a chain until the body returns `false`.
  private mutating func forEach(
    _ chain: ElementChain,
    _ row: EvaluationRow,
    _ body: (EvaluatedValue) throws(EvaluationFailure) -> Bool
  ) throws(EvaluationFailure) {
    guard let (streamed, kind) = Self.objects(of: chain, row) else { return }
    var ordinal = 0
    var failure: EvaluationFailure?
    let reading = stream.read
    let taken = memory.taken
    let message = reading(streamed) { page in
      // Only the elements of one page are in memory.
      memory.giveBack(to: taken)
      let elements = passed(page, from: ordinal, through: chain.steps, kind, row)
      ordinal += page.count
      do throws(EvaluationFailure) {
        for element in elements { guard try body(element) else { return false } }
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    if let message { throw EvaluationFailure(message) }
  }

  /// The elements that result from some objects.
  private mutating func passed(
    _ objects: [ObjectValue],
    from ordinal: Int,
    through steps: [ElementChain.Step],
    _ kind: ValueCollection.Kind,
    _ row: EvaluationRow
  ) -> [EvaluatedValue] {
    var elements = objects.enumerated().map { index, object in
      Element(row: row.number, ordinal: ordinal + index, value: .object(object))
    }
    var kind = kind
    for step in steps {
      switch step {
      case .present: kind = .array
      case .map(let body):
        let found = values(of: body, elements, in: row.frame)
        for (index, value) in found.enumerated() { elements[index].value = value }
        // Sets do not contain nil.
        if kind != .array { elements.removeAll(where: \.value.isNull) }
      case .filter(let condition):
        let kept = truths(of: condition, elements, in: row.frame)
        elements = zip(elements, kept).filter(\.1).map(\.0)
      }
    }
    return elements.map(\.value)
  }
}
