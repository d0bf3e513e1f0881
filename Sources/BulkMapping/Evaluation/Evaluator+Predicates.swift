internal import BulkSupport
internal import BulkModel

extension Evaluator {
  /// Whether a predicate holds for rows of a frame, in row order.
  ///
  /// A part is evaluated only for rows that earlier parts have left undecided.
  mutating func truths(of predicate: PredicateNode, _ rows: EvaluationRows) -> [Bool] {
    switch predicate {
    case .constant(let truth): return Array(repeating: truth, count: rows.count)
    case .comparison(let comparison): return truths(of: comparison, rows)
    case .not(let part): return truths(of: part, rows).map { !$0 }
    case .and(let parts): return decided(parts, by: false, rows)
    case .or(let parts): return decided(parts, by: true, rows)
    }
  }

  /// Evaluates the parts in order until one has the deciding truth value.
  private mutating func decided(
    _ parts: [PredicateNode],
    by truth: Bool,
    _ rows: EvaluationRows
  ) -> [Bool] {
    var results = Array(repeating: !truth, count: rows.count)
    var open = Array(rows.indices)
    for part in parts where !open.isEmpty {
      let found = truths(of: part, rows.only(open))
      for (index, isTrue) in zip(open, found) where isTrue == truth { results[index] = truth }
      open.removeAll { results[$0] == truth }
    }
    return results
  }

  private mutating func truths(of comparison: ComparisonNode, _ rows: EvaluationRows) -> [Bool] {
    let chain = comparison.modifier == .direct ? nil : Self.streamedChain(comparison.left, rows)
    let left =
      chain == nil
      ? values(of: comparison.left, rows) : Array(repeating: .null, count: rows.count)
    let right = values(of: comparison.right, rows)
    comparing.options = comparison.options
    var results: [Bool] = []
    results.reserveCapacity(rows.count)
    for (index, row) in rows.enumerated() {
      guard !watch.isStopped(after: 1) else {
        results.append(false)
        continue
      }
      do throws(EvaluationFailure) {
        if let chain {
          results.append(try streamedTruth(of: comparison, chain, row, right[index]))
        } else {
          results.append(try truth(of: comparison, left[index], right[index]))
        }
      } catch {
        fail(row, error.message)
        results.append(false)
      }
    }
    return results
  }

  mutating func truth(
    of comparison: ComparisonNode,
    _ left: EvaluatedValue,
    _ right: EvaluatedValue
  ) throws(EvaluationFailure) -> Bool {
    var test = ValueComparison(comparing)
    defer { comparing = test.text }
    guard comparison.modifier != .direct else {
      return try test.holds(left, comparison.operator, right)
    }
    let decisive = comparison.modifier == .any
    for element in Self.collection(left)?.elements ?? [] {
      if watch.isStopped(after: 1) { return false }
      if try test.holds(element, comparison.operator, right) == decisive { return decisive }
    }
    return !decisive
  }

  mutating func sent(
    _ call: MethodCall,
    _ operands: [ExpressionNode],
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    let columns = operands.map { values(of: $0, rows) }
    var arguments = FunctionArguments(call.selector, memory, characters: call.characters)
    return eachRow(rows) { _, index throws(EvaluationFailure) in
      if columns.count > 1 { arguments.first = columns[1][index] }
      if columns.count > 2 { arguments.second = columns[2][index] }
      return try call.value(of: columns[0][index], arguments)
    }
  }

  mutating func transformed(
    _ transformation: Transformation,
    _ operand: ExpressionNode,
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    let values = values(of: operand, rows)
    return eachRow(rows) { evaluator, index throws(EvaluationFailure) in
      try transformation.value(
        of: values[index],
        by: evaluator.constants.transformers,
        evaluator.memory
      )
    }
  }
}
