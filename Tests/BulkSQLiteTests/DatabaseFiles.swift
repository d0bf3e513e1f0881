import BulkTestSupport

/// A database file with what may lie beside it.
enum DatabaseFiles {
  static let endings = ["", "-journal", "-wal"]

  /// Copies a database, its journal and its log, as they lie there, over what is at the place.
  static func copy(_ path: String, to destination: String) throws {
    for ending in endings + ["-shm"] {
      let target = destination + ending
      if FileManager.default.fileExists(atPath: target) {
        try FileManager.default.removeItem(atPath: target)
      }
      guard ending != "-shm", FileManager.default.fileExists(atPath: path + ending) else {
        continue
      }
      try Files.write(try Files.read(path + ending), to: target)
    }
  }

  /// Everything that a connection sees: statements, rows, and what SQLite says of the pages.
  static func view(_ connection: Connection) throws -> [String] {
    var lines: [String] = []
    let schema = try connection.prepare(
      "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    )
    var tables: [String] = []
    while try schema.step() {
      lines.append((0..<3).map { schema.value(at: $0).literal }.joined(separator: "|"))
      if schema.text(at: 0) == "table" { tables.append(schema.text(at: 1)) }
    }
    for table in tables {
      let columns = try connection.prepare(
        "SELECT group_concat('quote(\"' || name || '\")', ' || ') FROM pragma_table_info(?1)"
      )
      try columns.bind(.text(table), at: 1)
      guard try columns.step() else { continue }
      let rows = try connection.prepare(
        "SELECT rowid || ': ' || \(columns.text(at: 0)) FROM \(SQLText.quoted(table))"
      )
      while try rows.step() { lines.append(table + "|" + rows.text(at: 0)) }
    }
    for pragma in ["page_count", "page_size", "freelist_count", "integrity_check"] {
      lines.append("\(pragma)=\(try connection.value("PRAGMA \(pragma)") ?? .null)")
    }
    return lines
  }

  /// What the source connection sees of a database, without touching it.
  static func sourceView(_ path: String) throws -> [String] {
    try view(try Connection(path: path, access: .source))
  }

  /// What SQLite itself sees of a copy of a database, after it has recovered it.
  static func recoveredView(_ path: String, in folder: TemporaryDirectory) throws -> [String] {
    let copy = folder.path("recovered.sqlite")
    try DatabaseFiles.copy(path, to: copy)
    let connection = try Connection(path: copy, access: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    return try view(connection)
  }
}

extension Connection {
  /// A table `t` with rows whose bytes follow from their keys, of about 200 bytes each.
  func fill(_ keys: ClosedRange<Int>, with letter: String = "a") throws(SQLiteError) {
    try execute("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, v TEXT)")
    try execute(
      "WITH RECURSIVE k(i) AS (SELECT \(keys.lowerBound) UNION ALL SELECT i + 1 FROM k "
        + "WHERE i < \(keys.upperBound)) INSERT OR REPLACE INTO t "
        + "SELECT i, i || replace(hex(zeroblob(100)), '0', '\(letter)') FROM k"
    )
  }
}
