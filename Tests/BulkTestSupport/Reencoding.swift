internal import BulkSQLite

/// The same store with texts in another encoding.
package enum Reencoding {
  package static func write(_ store: String, to path: String, as encoding: String) throws {
    let from = try Connection(path: store, access: .source)
    let into = try Connection(path: path, access: .readWrite)
    try into.execute("PRAGMA encoding = '\(encoding)'")
    let tables = try from.prepare("SELECT sql, name FROM sqlite_schema WHERE type = 'table'")
    while try tables.step() {
      try into.execute(tables.text(at: 0))
      let name = SQLText.quoted(tables.text(at: 1))
      let rows = try from.prepare("SELECT * FROM \(name)")
      let places = (1...rows.columnCount).map { "?\($0)" }.joined(separator: ", ")
      let row = try into.prepare("INSERT INTO \(name) VALUES (\(places))")
      while try rows.step() {
        for column in 0..<rows.columnCount { try row.bind(rows.value(at: column), at: column + 1) }
        try row.run()
      }
    }
    let indexes = try from.prepare(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    )
    while try indexes.step() { try into.execute(indexes.text(at: 0)) }
  }
}
