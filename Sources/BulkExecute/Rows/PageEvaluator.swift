internal import BulkPlan
package import BulkMapping
package import BulkStore

/// Reads the inputs of programs for rows of a table, page by page, and evaluates the programs over them.
///
/// Objects of to-many relationships that do not fit into memory with the rows are read again on every use.
final class PageEvaluator {
  /// The maximum number of rows evaluated at once; fewer if they are large.
  static let pageRows: Int64 = 500
  /// In bytes.
  private static let objectSize: Int64 = 512

  let source: ObjectSource
  private let page: ProgramPage
  private let rows: PreparedQuery
  private let queries: [PreparedQuery]
  /// By query.
  private var idle: [Int: [PreparedQuery]] = [:]
  /// The bytes that objects may still hold beside the rows of the page.
  private var left: Int64 = 0
  private let folds: FoldMemory
  private let results: ResultMemory
  /// The error that kept streamed objects from being read.
  private var failure: (any Error)?

  init(
    _ page: ProgramPage,
    of table: String,
    where conditions: [ColumnExpression] = [],
    adding columns: [SelectedColumn] = [],
    in source: ObjectSource
  ) throws {
    (self.page, self.source) = (page, source)
    rows = try PreparedQuery(
      RowQuery(table, page.columns + columns, where: conditions),
      source.session
    )
    queries = try page.memberQueries.map { try PreparedQuery($0, source.session) }
    folds = FoldMemory(bytes: Int(source.memory / 4))
    results = ResultMemory(limit: Int(source.memory / 2))
  }

  /// Passes on the rows of a range, as many at a time as fit into some bytes, in the order of their keys.
  ///
  /// `wanted` gives the least key from a key on whose row is wanted; `nil` if there is none. The body gets at least one
  /// row, and returns how many of the rows it is done with, at least one: it gets the others again. `nil` ends the
  /// reading.
  func each(
    in range: ClosedRange<Int64>,
    limit: Int64 = pageRows,
    bytes: Int64? = nil,
    from wanted: (Int64) throws -> Int64? = { $0 },
    _ body: ([SelectedRow]) throws -> Int?
  ) throws {
    var first = range.lowerBound
    while let start = try wanted(first), range.contains(start) {
      let found = try rows.rows(
        start...range.upperBound,
        limit: limit,
        byteLimit: bytes ?? source.memory
      ).rows
      guard let last = found.last?.key else { return }
      var rest = found[...]
      var most = found.count
      while !rest.isEmpty {
        let requested = Array(rest.prefix(most))
        guard let done = try body(requested) else { return }
        // Rows that are not done with are evaluated again, so no more are requested than seem to fit.
        most = done < requested.count ? done : 2 * most
        rest = rest.dropFirst(done)
      }
      guard last < range.upperBound else { return }
      first = last + 1
    }
  }

  /// The inputs of the programs for some rows, and the rows whose inputs cannot be read.
  func inputs(of rows: [SelectedRow]) throws -> ProgramPage.Page {
    left = source.memory
    beginResults()
    return try page.page(of: rows, members: members)
  }

  /// Begins to evaluate other rows, whose objects are read.
  func beginResults() { results.beginPage() }

  func evaluate(
    _ program: ExpressionProgram,
    _ page: ValuePage
  ) throws -> PageResults<EvaluatedValue> {
    let found = program.evaluate(page, in: source.constants, stream, source.session.work)
    try endIfFailed()
    return found
  }

  func evaluate(_ predicate: PredicateProgram, _ page: ValuePage) throws -> PageResults<Bool> {
    let found = predicate.evaluate(page, in: source.constants, stream, source.session.work)
    try endIfFailed()
    return found
  }

  private func endIfFailed() throws {
    try source.session.endIfStopped()
    if let failure { throw failure }
  }

  /// The objects of an owner; if other rows may share the owner, they are streamed, so that they are not
  /// read again where the result is known.
  private func members(_ query: Int, _ key: Int64, isShared: Bool) throws -> ProgramPage.Members {
    if isShared { return .tooMany }
    // Even with no bytes left, this must find out whether there are any objects.
    let found = try queries[query].members(of: key, byteLimit: max(left, Self.objectSize))
    guard found.isComplete else { return .tooMany }
    left -= found.bytes
    return .held(found.rows)
  }

  private var stream: ObjectStream {
    ObjectStream(
      heldLimit: Int(source.memory / Self.objectSize),
      heldBytes: Int(source.memory),
      results: results,
      memory: folds
    ) { [self] objects, body in
      do {
        return try read(objects, body)
      } catch {
        failure = failure ?? error
        return "its objects cannot be read"
      }
    }
  }

  private func read(
    _ objects: StreamedObjects,
    _ body: ([ObjectValue]) -> Bool
  ) throws -> String? {
    guard let query = page.query(of: objects) else { return nil }
    // The same objects may be requested while they are read, so each use has its own statement.
    let statement =
      try idle[query]?.popLast() ?? PreparedQuery(page.memberQueries[query], source.session)
    defer { idle[query, default: []].append(statement) }
    var fault: String?
    try statement.eachPage(of: objects.owner, byteLimit: source.memory / 4) { rows in
      let values = try page.objects(of: rows, in: objects, &fault, members: members)
      return fault == nil && body(values)
    }
    return fault.map { "one of its objects holds \($0)" }
  }
}

/// The store whose objects are evaluated or tested, and the means to do so.
package struct ObjectSource {
  package let schema: StoreSchema
  package let session: StoreSession
  /// The bytes that the rows that are read at once may hold; related objects take as many, and values and results
  /// the rest: a row's results of methods as many, those of all rows half as many.
  package let memory: Int64
  package let constants: RunConstants

  package init(
    _ schema: StoreSchema,
    _ session: StoreSession,
    memory: Int64,
    constants: RunConstants
  ) {
    (self.schema, self.session, self.memory) = (schema, session, memory)
    self.constants = constants
  }
}
