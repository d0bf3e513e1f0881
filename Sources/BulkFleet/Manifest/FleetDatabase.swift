internal import BulkExecute
internal import BulkSupport
internal import BulkSQLite

/// A database about a fleet, in a file or, without a path, among temporary files until its connection ends.
struct FleetDatabase {
  let connection: Connection
  private let path: String

  /// Creates the file with the tables of a schema.
  init(_ named: String?, _ schema: String) throws(FleetError) {
    let path =
      named
      ?? FileManager.default.temporaryDirectory
      .appendingPathComponent("bulkmigrate-fleet-\(SystemHost.current.identifier())").path
    self.path = path
    // It holds values that errors quote.
    _ = try FleetError.writing(path, try OutputFile(path).make(mode: 0o600))
    do throws(FleetError) {
      connection = try Self.tabled(path) { () throws(SQLiteError) in
        let connection = try Connection(path: path, access: .readWrite)
        try connection.execute(
          "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384;"
            + schema
        )
        return connection
      }
    } catch {
      if named == nil { try? FileManager.default.removeItem(atPath: path) }
      throw error
    }
  }

  /// Leaves the database to its connection: what is open keeps its content without its name.
  func removeName() { try? FileManager.default.removeItem(atPath: path) }

  func tabled<T: ~Copyable>(_ body: () throws(SQLiteError) -> T) throws(FleetError) -> T {
    try Self.tabled(path, body)
  }

  private static func tabled<T: ~Copyable>(
    _ path: String,
    _ body: () throws(SQLiteError) -> T
  ) throws(FleetError) -> T {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw FleetError(
        FleetError.Code.cannotCreate,
        "the table \(path) cannot be made: \(error.description)"
      )
    }
  }

  func execute(_ sql: String) throws(FleetError) {
    try tabled { () throws(SQLiteError) in try connection.execute(sql) }
  }

  func prepare(_ sql: String) throws(FleetError) -> Statement {
    try tabled { () throws(SQLiteError) in try connection.prepare(sql) }
  }

  func run(_ statement: borrowing Statement, _ values: [SQLiteValue]) throws(FleetError) {
    try tabled { () throws(SQLiteError) in
      try statement.bind(values)
      try statement.run()
    }
  }

  func each(
    _ sql: String,
    _ body: (borrowing Statement) throws(FleetError) -> Void
  ) throws(FleetError) {
    let statement = try prepare(sql)
    while try tabled({ () throws(SQLiteError) in try statement.step() }) { try body(statement) }
  }

  func rows<T>(
    _ sql: String,
    _ value: (borrowing Statement) -> T
  ) throws(FleetError) -> [T] {
    var result: [T] = []
    try each(sql) { result.append(value($0)) }
    return result
  }
}

extension SQLiteValue {
  static func text(or value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }

  static func integer(or value: (some BinaryInteger)?) -> SQLiteValue {
    value.map { .integer(Int64($0)) } ?? .null
  }
}
