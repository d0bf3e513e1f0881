internal import BulkModel

extension Evaluator {
  /// The values of a node that calls methods, row by row, so that the values of one row only are in memory
  /// beside the results; those of the first rows only where the results are too large for all.
  mutating func values(
    of node: ExpressionNode,
    oneByOne rows: Range<Int>,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    var results: [EvaluatedValue] = []
    for row in rows {
      memory.beginRow()
      let value = values(of: node, [row], in: frame).first ?? .null
      results.append(value)
      if stream.results?.isFull(after: value) == true { break }
    }
    return results
  }

  /// Whether a predicate that calls methods holds, row by row.
  mutating func truths(
    of predicate: PredicateNode,
    oneByOne rows: Range<Int>,
    in frame: EvaluationFrame
  ) -> [Bool] {
    rows.map { row in
      memory.beginRow()
      return truths(of: predicate, [row], in: frame).first ?? false
    }
  }

  /// The results of a method, the receiver and the arguments being the operands.
  mutating func sent(
    _ call: MethodCall,
    _ operands: [ExpressionNode],
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    let columns = operands.map { values(of: $0, rows, in: frame) }
    var results: [EvaluatedValue] = []
    results.reserveCapacity(rows.count)
    for (place, row) in rows.enumerated() {
      do throws(EvaluationFailure) {
        let arguments = MethodArguments(
          selector: call.selector,
          values: columns.dropFirst().map { $0[place] },
          characters: call.characters,
          memory: memory,
          now: constants.now
        )
        results.append(try call.value(of: columns[0][place], arguments))
      } catch {
        fail(row, of: frame, error.message)
        results.append(.null)
      }
    }
    return results
  }
}
