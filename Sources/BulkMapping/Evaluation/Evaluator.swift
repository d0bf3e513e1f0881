internal import BulkSupport
internal import BulkModel

/// Evaluates nodes over the rows of a page, each node for all rows before the next.
///
/// A failed operation gives nil for its row and evaluation continues; only the first failure of each row is
/// kept.
struct Evaluator {
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

  mutating func fail(_ row: EvaluationRow, _ message: String) {
    if failureByRow[row.sourceRow] == nil { failureByRow[row.sourceRow] = message }
  }

  /// The values of a node for rows of a frame, in row order.
  mutating func values(of node: ExpressionNode, _ rows: EvaluationRows) -> [EvaluatedValue] {
    if watch.isStopped(after: rows.count) { return Array(repeating: .null, count: rows.count) }
    switch node.operation {
    case .constant(let value): return Array(repeating: value, count: rows.count)
    case .input(let index, let frames):
      if frames == 0, !node.type.isCollection { return rows.values(index) }
      return rows.map { hold($0.value(index, frames: frames), $0) }
    case .map(let collection, let body): return mapped(collection, body, rows)
    case .of(let object, let body): return valuesOfObjects(object, body, rows)
    case .call(let function, let arguments): return called(function, arguments, rows)
    case .message(let call, let operands): return sent(call, operands, rows)
    case .cast(let operand, let type):
      let values = values(of: operand, rows)
      return eachRow(rows) { _, rowIndex throws(EvaluationFailure) in
        try type.cast(values[rowIndex])
      }
    case .transformed(let transformation, let operand):
      return transformed(transformation, operand, rows)
    case .aggregate(let elements):
      let columns = elements.map { values(of: $0, rows) }
      return rows.indices.map { rowIndex in
        .collection(ValueCollection(.array, columns.map { $0[rowIndex] }))
      }
    case .set(let operation, let first, let second):
      return combined(operation, first, with: second, rows)
    case .ternary(let condition, let then, let otherwise):
      return chosen(condition, then: then, otherwise: otherwise, rows)
    case .subquery(let collection, let condition):
      return selected(collection, condition, rows)
    case .symbol(let symbol, let collection):
      return named(symbol, collection, rows)
    case .now: return Array(repeating: .attribute(.date(constants.now)), count: rows.count)
    case .random(let limit, let site): return drawn(limit, site, rows)
    case .uuid(let entity, let name):
      let names = values(of: name, rows)
      return rows.indices.map { rowIndex in
        guard case .attribute(.string(let name)) = names[rowIndex] else { return .null }
        return .attribute(.uuid(rows[rowIndex].uuid(of: entity, name, constants.randomSeed)))
      }
    case .rowKey: return rows.map { .attribute(.integer($0.sourceKey)) }
    case .objectID(let entity):
      return rows.map {
        .attribute(.uri("x-coredata://\(constants.storeUUID)/\(entity)/p\($0.sourceKey)"))
      }
    }
  }

  /// The values of rows, by their indexes; a row whose value throws fails.
  mutating func eachRow(
    _ rows: EvaluationRows,
    _ value: (inout Evaluator, _ rowIndex: Int) throws(EvaluationFailure) -> EvaluatedValue
  ) -> [EvaluatedValue] {
    var results: [EvaluatedValue] = []
    results.reserveCapacity(rows.count)
    for (rowIndex, row) in rows.enumerated() {
      do throws(EvaluationFailure) {
        results.append(try value(&self, rowIndex))
      } catch {
        fail(row, error.message)
        results.append(.null)
      }
    }
    return results
  }

  private mutating func called(
    _ function: Function,
    _ arguments: [ExpressionNode],
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    if arguments.count == 1, let chain = Self.streamedChain(arguments[0], rows) {
      return folded(function, arguments[0], through: chain, rows)
    }
    let first = values(of: arguments[0], rows)
    let second = arguments.count > 1 ? values(of: arguments[1], rows) : []
    var call = FunctionArguments(function.selector, memory)
    return eachRow(rows) { _, rowIndex throws(EvaluationFailure) in
      if !second.isEmpty { call.first = second[rowIndex] }
      return try function.value(first[rowIndex], call) ?? .null
    }
  }

  private mutating func chosen(
    _ condition: PredicateNode,
    then: ExpressionNode,
    otherwise: ExpressionNode,
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    let truths = truths(of: condition, rows)
    let rowIndexes = rows.indices
    var first = values(of: then, rows.only(rowIndexes.filter { truths[$0] })).makeIterator()
    var second = values(of: otherwise, rows.only(rowIndexes.filter { !truths[$0] })).makeIterator()
    return truths.map { ($0 ? first.next() : second.next()) ?? .null }
  }

  private mutating func drawn(
    _ limit: ExpressionNode?,
    _ site: Int,
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    guard let limit else {
      return rows.map { .attribute(.integer(Int64($0.random(site: site) >> 33))) }
    }
    let limits = values(of: limit, rows)
    return eachRow(rows) { _, rowIndex throws(EvaluationFailure) in
      guard let number = limits[rowIndex].number else { return .null }
      guard let top = number.integer, top > 0 else {
        throw EvaluationFailure("random: needs a limit above 0, not \(number.text)")
      }
      let random = rows[rowIndex].random(site: site)
      return .integer(Int64(random.multipliedFullWidth(by: UInt64(top)).high))
    }
  }

  /// The value of a part that does not depend on a row.
  static func constant<Value>(
    _ evaluate: (inout Evaluator, EvaluationRows) -> [Value]
  ) throws(ExpressionFault) -> Value? {
    var evaluator = Evaluator(RunConstants(now: 0, randomSeed: 0))
    let values = evaluate(&evaluator, EvaluationFrame([], keys: [0], seed: 0).rows)
    if let failure = evaluator.failures.first { throw .alwaysFails(failure.message) }
    return values.first
  }
}
