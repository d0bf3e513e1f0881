import BulkSQLite

/// The writing of one table as pages.
struct PagesOfTable {
  /// What became of it.
  enum Outcome {
    /// The rows and indexes are there.
    case written(Connection)
    /// A key is there twice.
    case refused
    /// SQLite must write it.
    case left
  }

  private let table: DrawnTable
  private let steps: [DrawnStep]
  private let fromStatement: Bool
  private let writesBehind: Bool
  private let isDurable: Bool
  private let memory: Int

  init(
    _ table: DrawnTable,
    _ steps: [DrawnStep],
    _ fromStatement: Bool,
    writesBehind: Bool,
    isDurable: Bool,
    memory: Int
  ) {
    self.table = table
    self.steps = steps
    self.fromStatement = fromStatement
    self.writesBehind = writesBehind
    self.isDurable = isDurable
    self.memory = memory
  }

  /// What writes it: a process, or a part of one.
  private struct Process {
    let connection: Connection
    let pages: PageWriter
    let writer: TableWriter
  }

  private func process(_ connection: Connection) throws -> Process? {
    let pages = PageWriter(
      connection,
      isDurable: isDurable,
      memory: memory,
      writesBehind: writesBehind
    )
    let names = Set(table.indexes.map(\.name))
    guard let writer = try pages.table(table.name, table.given, indexes: names) else { return nil }
    pages.begin([writer])
    return Process(connection: connection, pages: pages, writer: writer)
  }

  /// Writes it.
  ///
  /// - Parameters:
  ///   - connection: The connection to the file.
  ///   - again: Opens the file as another process does.
  /// - Returns: What became of it.
  /// - Throws: ``SQLiteError`` if the file cannot be written, and ``Finding``.
  func write(_ connection: Connection, _ again: () throws -> Connection) throws -> Outcome {
    for index in table.indexes {
      let probe = PageWriter(connection, isDurable: false, memory: 1)
      guard try probe.holdsIntegers(index.terms.map(\.column), of: table.name) else {
        throw Finding("\(index.name) is over integers")
      }
    }
    do {
      return try fill(connection, again)
    } catch let error as SQLiteError where [.constraint, .corrupt].contains(error.result) {
      // Two rows with one key do not ascend, which the writer takes for a fault of the source.
      return .refused
    }
  }

  private func fill(_ connection: Connection, _ again: () throws -> Connection) throws -> Outcome {
    var current = try process(connection)
    // A writer and its table keep each other until the end.
    defer { current?.pages.end() }
    guard current != nil else { return .left }
    let rows = steps.rows
    // The rows that the steps named, those that are written, and those that are committed.
    var (named, written, committed) = (0, 0, 0)
    var number: Int64 = 0
    for step in steps {
      guard let process = current else { return .left }
      if case .row = step {
        named += 1
        continue
      }
      try append(rows, written..<named, process)
      written = named
      switch step {
      case .row: break
      case .commit, .reopen:
        number += 1
        try process.pages.commit(number)
        committed = written
        if case .reopen = step {
          process.pages.end()
          current = try self.process(process.connection)
        }
      case .abandon where isDurable:
        process.pages.end()
        current = nil
        current = try self.process(again())
        written = committed
      case .abandon: break
      }
    }
    guard let process = current else { return .left }
    try append(rows, written..<named, process)
    try process.pages.commit(number + 1)
    process.writer.finish()
    try buildIndexes(process, after: number + 1)
    process.pages.end()
    return .written(process.connection)
  }

  private func append(
    _ rows: [[DrawnValue]],
    _ range: Range<Int>,
    _ process: Process
  ) throws {
    guard fromStatement else {
      return try process.writer.append(rows[range].flatMap { $0.map(\.bound) })
    }
    let values = table.given.indices.map { "v\($0)" }.joined(separator: ", ")
    let statement = try process.connection.prepare(
      "SELECT \(values) FROM source.\(table.name) "
        + "WHERE n BETWEEN \(range.lowerBound + 1) AND \(range.upperBound) ORDER BY n"
    )
    guard try process.writer.append(statement) == range.count else {
      throw Finding("\(table.name): rows are missing")
    }
  }

  private func buildIndexes(_ process: Process, after number: Int64) throws {
    for (index, name) in process.writer.indexNames.enumerated() {
      if try process.pages.buildIndex(index, of: process.writer) {
        try process.pages.commit(number + Int64(index) + 1)
        continue
      }
      process.pages.end()
      try process.connection.execute("REINDEX main.\(name)")
    }
  }
}
