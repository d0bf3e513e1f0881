/// Converts single values to the affinity of a column as SQLite does, by letting it do so in memory.
///
/// Only texts that may be numbers, and numbers for columns of text, need this.
final class AffinityConversion {
  private let connection: Connection

  /// - Throws: ``SQLiteError`` if there is no memory left.
  init() throws(SQLiteError) {
    connection = try Connection(path: "the conversion of values", access: .memory)
    try connection.execute("CREATE TABLE v (t TEXT, i INTEGER, n NUMERIC, r REAL)")
    try connection.execute("INSERT INTO v VALUES (NULL, NULL, NULL, NULL)")
  }

  /// A value as a column of an affinity stores it.
  func value(_ value: SQLiteValue, as affinity: ColumnAffinity) throws(SQLiteError) -> SQLiteValue {
    let column: String
    switch affinity {
    case .blob: return value
    case .text: column = "t"
    case .integer: column = "i"
    case .numeric: column = "n"
    case .real: column = "r"
    }
    let update = try connection.prepare("UPDATE v SET \(column) = ?1")
    try update.bind(value, at: 1)
    try update.run()
    return try connection.value("SELECT \(column) FROM v") ?? .null
  }
}
