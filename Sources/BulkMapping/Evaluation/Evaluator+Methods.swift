internal import BulkModel

extension Evaluator {
  /// The results for some rows; one row after the other where methods may make large values of small ones,
  /// so that those of one row only are in memory.
  mutating func values<Value>(
    _ rows: Range<Int>,
    oneByOne: Bool,
    _ body: (inout Evaluator, Rows) -> [Value]
  ) -> [Value] {
    guard oneByOne else { return body(&self, Array(rows)) }
    return rows.flatMap { row in
      memory.beginRow()
      return body(&self, [row])
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
