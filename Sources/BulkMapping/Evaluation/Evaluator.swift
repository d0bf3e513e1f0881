internal import BulkCoding
internal import BulkModel

/// Evaluates nodes over the rows of a page, each node for all rows before the next.
///
/// A failed operation gives nil for its row and evaluation continues; only the first failure of each row is
/// kept.
struct Evaluator {
  /// Rows of a frame, by their indexes.
  typealias Rows = [Int]

  let constants: RunConstants
  let stream: ObjectStream
  private var failureByRow: [Int: String] = [:]
  var comparing: TextComparing
  /// Counts nodes times rows, and the steps of long comparisons; once it stops, values are nil and predicates
  /// are false.
  let watch: WorkWatch
  let memory: MethodMemory

  init(
    _ constants: RunConstants,
    _ stream: ObjectStream = .none,
    _ watch: WorkWatch = WorkWatch()
  ) {
    self.constants = constants
    self.stream = stream
    self.watch = watch
    comparing = TextComparing(watch)
    memory = MethodMemory(limit: stream.heldBytes, watch)
  }

  var failures: [RowFailure] {
    failureByRow.sorted { $0.key < $1.key }.map { RowFailure(row: $0.key, message: $0.value) }
  }

  mutating func fail(_ row: Int, of frame: EvaluationFrame, _ message: String) {
    let source = frame.sourceRow(row)
    if failureByRow[source] == nil { failureByRow[source] = message }
  }

  /// The values of a node for rows of a frame, in row order.
  mutating func values(
    of node: ExpressionNode,
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    if watch.isStopped(after: rows.count) { return Array(repeating: .null, count: rows.count) }
    switch node.operation {
    case .constant(let value): return Array(repeating: value, count: rows.count)
    case .input(let index, let frames):
      if frames == 0, !node.type.isCollection { return frame.values(index, rows) }
      return rows.map { held(frame.value(index, at: $0, frames: frames), $0, in: frame) }
    case .map(let collection, let body): return mapped(collection, body, rows, in: frame)
    case .of(let object, let body): return valuesOfObjects(object, body, rows, in: frame)
    case .call(let function, let arguments): return called(function, arguments, rows, in: frame)
    case .message(let call, let operands): return sent(call, operands, rows, in: frame)
    case .cast(let operand, let type):
      let values = values(of: operand, rows, in: frame)
      return eachRow(rows, in: frame) { _, place throws(EvaluationFailure) in
        try type.cast(values[place])
      }
    case .transformed(let transformation, let operand):
      return transformed(transformation, operand, rows, in: frame)
    case .aggregate(let elements): return aggregated(elements, rows, in: frame)
    case .set(let operation, let first, let second):
      return combined(operation, first, with: second, rows, in: frame)
    case .ternary(let condition, let then, let otherwise):
      return chosen(condition, then: then, otherwise: otherwise, rows, in: frame)
    case .subquery(let collection, let condition):
      return selected(collection, condition, rows, in: frame)
    case .symbol(let symbol, let collection):
      return named(symbol, collection, rows, in: frame)
    case .now: return Array(repeating: .attribute(.date(constants.now)), count: rows.count)
    case .random(let limit, let site): return drawn(limit, site, rows, in: frame)
    }
  }

  /// The values of rows, by their places; a row whose value throws fails.
  mutating func eachRow(
    _ rows: Rows,
    in frame: EvaluationFrame,
    _ value: (inout Evaluator, _ place: Int) throws(EvaluationFailure) -> EvaluatedValue
  ) -> [EvaluatedValue] {
    var results: [EvaluatedValue] = []
    results.reserveCapacity(rows.count)
    for (place, row) in rows.enumerated() {
      do throws(EvaluationFailure) {
        results.append(try value(&self, place))
      } catch {
        fail(row, of: frame, error.message)
        results.append(.null)
      }
    }
    return results
  }

  private mutating func called(
    _ function: ExpressionFunction,
    _ arguments: [ExpressionNode],
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    if arguments.count == 1, let chain = Self.streamedChain(arguments[0], rows, in: frame) {
      return folded(function, arguments[0], through: chain, rows, in: frame)
    }
    let first = values(of: arguments[0], rows, in: frame)
    guard arguments.count > 1 else {
      return eachRow(rows, in: frame) { _, place throws(EvaluationFailure) in
        try function.value(first[place])
      }
    }
    let second = values(of: arguments[1], rows, in: frame)
    return eachRow(rows, in: frame) { _, place throws(EvaluationFailure) in
      try function.value(first[place], second[place])
    }
  }

  private mutating func aggregated(
    _ elements: [ExpressionNode],
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    let columns = elements.map { values(of: $0, rows, in: frame) }
    return rows.indices.map { place in
      .collection(ValueCollection(.array, columns.map { $0[place] }))
    }
  }

  private mutating func chosen(
    _ condition: PredicateNode,
    then: ExpressionNode,
    otherwise: ExpressionNode,
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    let truths = truths(of: condition, rows, in: frame)
    let chosen = zip(rows, truths).filter(\.1).map(\.0)
    let left = zip(rows, truths).filter { !$0.1 }.map(\.0)
    var first = values(of: then, chosen, in: frame).makeIterator()
    var second = values(of: otherwise, left, in: frame).makeIterator()
    return truths.map { ($0 ? first.next() : second.next()) ?? .null }
  }

  private mutating func drawn(
    _ limit: ExpressionNode?,
    _ site: Int,
    _ rows: Rows,
    in frame: EvaluationFrame
  ) -> [EvaluatedValue] {
    guard let limit else {
      return rows.map {
        .attribute(.integer(Int64(frame.random(at: $0, site: site) >> 33)))
      }
    }
    let limits = values(of: limit, rows, in: frame)
    return eachRow(rows, in: frame) { _, place throws(EvaluationFailure) in
      guard let number = limits[place].number else { return .null }
      guard let top = number.integer, top > 0 else {
        throw EvaluationFailure("random: needs a limit above 0, not \(number.text)")
      }
      let random = frame.random(at: rows[place], site: site)
      return .integer(Int64(random.multipliedFullWidth(by: UInt64(top)).high))
    }
  }
}

extension Evaluator {
  /// The value of a part that does not depend on a row.
  ///
  /// - Throws: ``ExpressionFault/alwaysFails(_:)``.
  static func constant<Value>(
    _ evaluate: (inout Evaluator, EvaluationFrame) -> [Value]
  ) throws(ExpressionFault) -> Value? {
    var evaluator = Evaluator(RunConstants(now: 0, randomSeed: 0))
    let values = evaluate(&evaluator, EvaluationFrame([], keys: [0], seed: 0))
    if let failure = evaluator.failures.first { throw .alwaysFails(failure.message) }
    return values.first
  }
}
