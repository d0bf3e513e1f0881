import BulkSQLite
import Foundation

/// Tables that are written as pages and by SQL.
struct WrittenTables {
  private let folder: String
  private let file: DrawnFile
  private let isDurable: Bool
  private let writesBehind: Bool
  private let memory: Int
  private let tables: [(table: DrawnTable, steps: [DrawnStep], fromStatement: Bool)]
  private let changes: Int

  init(_ bytes: [UInt8], in folder: String) {
    var draw = Draw(bytes)
    self.folder = folder
    file = DrawnFile(&draw)
    isDurable = draw.bool()
    writesBehind = draw.bool()
    memory = 1 << draw.number(below: 20)
    changes = draw.number(below: 4)
    let tables = (0...draw.number(below: 2)).map { DrawnTable("t\($0)", &draw) }
    let ways = tables.map { _ in draw.bool() }
    var result: [(DrawnTable, [DrawnStep], Bool)] = []
    for (table, way) in zip(tables, ways) { result.append((table, table.steps(&draw), way)) }
    self.tables = result
  }

  /// Writes and compares them.
  ///
  /// - Throws: ``Finding`` if they differ, or something else goes wrong.
  func run() throws {
    do {
      try makeSource()
      let expected = try openExpected()
      var writing = try openWritten(isNew: true)
      for (table, steps, fromStatement) in tables {
        let isRefused = try !insert(table, steps, fromStatement, expected)
        let outcome = try PagesOfTable(
          table,
          steps,
          fromStatement,
          writesBehind: writesBehind,
          isDurable: isDurable,
          memory: memory
        )
        .write(writing) { try openWritten(isNew: false) }
        switch outcome {
        case .left: return
        case .refused:
          guard isRefused else { throw Finding("\(table.name): pages refuse what SQLite takes") }
          return
        case .written(let connection):
          guard !isRefused else { throw Finding("\(table.name): SQLite refuses what pages take") }
          writing = connection
        }
      }
      try TableComparison(writing, expected).run(tables.map(\.table))
      try change(writing, expected)
    } catch {
      throw Finding("\(error)\n\(file)\n\(tables.flatMap(\.table.sql).joined(separator: "\n"))")
    }
  }

  private func openExpected() throws -> Connection {
    let connection = try file.open(folder + "/expected.sqlite")
    for sql in tables.flatMap(\.table.sql) { try connection.execute(sql) }
    try connection.attachSource(SourceFile(path: folder + "/source.sqlite"), as: "source")
    return connection
  }

  private func openWritten(isNew: Bool) throws -> Connection {
    let path = folder + "/written.sqlite"
    let connection = try file.open(path, isDurable ? .recorded : .readWrite)
    if isNew { for sql in tables.flatMap(\.table.sql) { try connection.execute(sql) } }
    try connection.attachSource(SourceFile(path: folder + "/source.sqlite"), as: "source")
    return connection
  }

  /// Makes the database with the rows of tables that are written by statements.
  private func makeSource() throws {
    let source = try file.open(folder + "/source.sqlite")
    try source.execute("CREATE TABLE none (a)")
    for (table, steps, fromStatement) in tables where fromStatement {
      let names = table.given.indices.map { "v\($0)" }.joined(separator: ", ")
      try source.execute("CREATE TABLE \(table.name) (n INTEGER PRIMARY KEY, \(names))")
      try source.transaction { () throws(SQLiteError) in
        try source.insert(steps.rows, into: "\(table.name) (\(names))")
      }
    }
  }

  /// Inserts the rows by SQL.
  ///
  /// - Returns: Whether SQLite accepts them.
  private func insert(
    _ table: DrawnTable,
    _ steps: [DrawnStep],
    _ fromStatement: Bool,
    _ connection: Connection
  ) throws -> Bool {
    let target = "main.\(table.name) (\(table.given.joined(separator: ", ")))"
    do throws(SQLiteError) {
      try connection.transaction { () throws(SQLiteError) in
        if fromStatement {
          let values = table.given.indices.map { "v\($0)" }.joined(separator: ", ")
          return try connection.execute(
            "INSERT INTO \(target) SELECT \(values) FROM source.\(table.name) ORDER BY n"
          )
        }
        try connection.insert(steps.rows.map { $0.map { .plain($0.bound) } }, into: target)
      }
      return true
    } catch {
      guard error.result == .constraint else { throw error }
      return false
    }
  }

  /// Lets SQLite change both files.
  private func change(_ written: Connection, _ expected: Connection) throws {
    guard changes > 0 else { return }
    for table in tables.map(\.table) {
      let column = table.columns[0].name
      for connection in [written, expected] {
        try connection.execute("DELETE FROM main.\(table.name) WHERE rowid % 3 = 0")
        if changes > 1, table.key != 0 {
          try connection.execute("UPDATE OR IGNORE main.\(table.name) SET \(column) = 7")
        }
        try connection.execute("PRAGMA main.incremental_vacuum")
      }
    }
    try TableComparison(written, expected).run(tables.map(\.table))
  }
}

extension [DrawnStep] {
  /// The rows.
  var rows: [[DrawnValue]] {
    compactMap { step in
      if case .row(let row) = step { row } else { nil }
    }
  }
}

extension Connection {
  /// Commits what a body changes, or nothing if it fails.
  func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try execute("BEGIN")
    do throws(SQLiteError) {
      try body()
      try execute("COMMIT")
    } catch {
      try execute("ROLLBACK")
      throw error
    }
  }

  /// Inserts rows by SQL.
  func insert(_ rows: [[DrawnValue]], into target: String) throws(SQLiteError) {
    var index = 0
    while index < rows.count {
      let values = Self.parameters(rows[index])
      let statement = try prepare("INSERT INTO \(target) VALUES (\(values))")
      while index < rows.count, Self.parameters(rows[index]) == values {
        for (index, value) in rows[index].enumerated() {
          try statement.bind(value.bound, at: Int32(index) + 1)
        }
        try statement.run()
        index += 1
      }
    }
  }

  private static func parameters(_ row: [DrawnValue]) -> String {
    row.indices.map { index in
      if case .rawText = row[index] { "CAST(?\(index + 1) AS TEXT)" } else { "?\(index + 1)" }
    }
    .joined(separator: ", ")
  }
}
