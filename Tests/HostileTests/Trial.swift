import BulkTestSupport

/// One migration of a store that may be damaged.
struct Trial {
  /// How a migration may end.
  enum Outcome: Hashable, Sendable {
    /// It gave what the source holds.
    case right
    /// It was refused, with a message that names the file.
    case refused
    /// It ended in a way in which none may end; the text says how.
    case wrong(String)
  }

  let store: SmallStore

  /// Migrates bytes and compares the destination with what SQLite itself reads from them.
  func run(_ bytes: [UInt8]) throws -> Outcome {
    defer { removeFiles() }
    try Files.write(bytes, to: store.source)
    do {
      try migrate()
    } catch {
      return outcome(error)
    }
    guard FileManager.default.fileExists(atPath: store.destination) else {
      return .wrong("no error and no destination")
    }
    return try store.outcome()
  }

  /// What a migration of bytes says, without names that are made up; `nil` if it gives what the source holds.
  func message(_ bytes: [UInt8]) throws -> String? {
    switch try run(bytes) {
    case .right: return nil
    case .wrong(let how): return "wrong: \(how)"
    case .refused: break
    }
    defer { removeFiles() }
    try Files.write(bytes, to: store.source)
    return failure { try migrate() }.replacing(store.folder.url.path, with: "")
      .replacing(#/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/#, with: "ID")
  }

  private func migrate() throws {
    let plan = try store.plan()
    var migration = Migration(inTestProcess: plan)
    // Rows of no entity are lost objects, which the program refuses unless it is told otherwise.
    if plan.strays != nil { migration.lossLimit = .count(0) }
    _ = try migration.run()
  }

  private func outcome(_ error: any Error) -> Outcome {
    let text = "\(error)"
    guard error is PlanError || error is MigrationError else { return .wrong("untyped: \(text)") }
    // Objects that are lost are named by their table.
    if case .tooMuchLost? = error as? MigrationError { return .refused }
    let namesPlace = [store.folder.url.path, "Z_MODELCACHE", "constraint failed: Z"].contains {
      text.contains($0)
    }
    guard namesPlace else {
      return .wrong("names no file: \(text)")
    }
    let extra = (try? store.left()) ?? []
    return extra.isEmpty ? .refused : .wrong("left behind: \(extra)")
  }

  private func removeFiles() {
    for path in [store.source, store.destination] {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

/// Compares the rows of a source and its destination.
struct Comparison {
  private let connection: Connection

  init(source: String, destination: String) throws {
    connection = try Connection(path: destination, access: .source)
    try connection.attachSource(SourceFile(path: source), as: "source")
  }

  func outcome() throws -> Trial.Outcome {
    let integrity = try connection.value("PRAGMA main.integrity_check")
    guard integrity == .text("ok") else { return .wrong("integrity check: \(integrity as Any)") }
    for table in ["ZFOLDER", "ZNOTE", "ZTAG", "Z_3TAGS"] {
      if let difference = try difference(in: table) { return .wrong("\(table): \(difference)") }
    }
    return .right
  }

  private func difference(in table: String) throws -> String? {
    let here = try connection.value("SELECT count(*) FROM source.\(table) NOT INDEXED")
    let written = try connection.value("SELECT count(*) FROM main.\(table) NOT INDEXED")
    guard here == written else { return "\(here as Any) rows read, \(written as Any) written" }
    let columns = try columns(of: table)
    // A value of another class than its column's may be stored as it is or in the column's own way.
    try connection.execute("DROP TABLE IF EXISTS temp.expected")
    let types = try columns.map { name in
      let type = try connection.value(
        "SELECT type FROM pragma_table_info('\(table)', 'main') WHERE name = '\(name)'"
      )
      guard case .text(let text) = type else { return name }
      return "\(name) \(text)"
    }
    try connection.execute("CREATE TABLE temp.expected (\(types.joined(separator: ", ")))")
    let list = columns.joined(separator: ", ")
    // An entity number that no entity has becomes that of the object: see
    // `ColumnExpression.storedEntity`.
    let read = list.replacing(
      "Z1_FOLDER",
      with: "CASE WHEN Z1_FOLDER IN (1, 2) THEN Z1_FOLDER ELSE (SELECT p.Z_ENT FROM source.ZFOLDER "
        + "AS p WHERE p.Z_PK = ZFOLDER AND p.Z_ENT IN (1, 2)) END"
    )
    try connection.execute(
      "INSERT INTO temp.expected (\(list)) SELECT \(read) FROM source.\(table) NOT INDEXED"
    )
    let strangers = try connection.value(
      "SELECT count(*) FROM (SELECT \(list) FROM main.\(table) NOT INDEXED EXCEPT "
        + "SELECT \(list) FROM temp.expected EXCEPT SELECT \(read) FROM source.\(table) NOT INDEXED)"
    )
    return strangers == .integer(0) ? nil : "\(strangers as Any) rows differ"
  }

  /// The columns that both tables have.
  private func columns(of table: String) throws -> [String] {
    let statement = try connection.prepare(
      "SELECT name FROM pragma_table_info('\(table)', 'main') INTERSECT "
        + "SELECT name FROM pragma_table_info('\(table)', 'source') ORDER BY 1"
    )
    var result: [String] = []
    while try statement.step() { result.append(statement.text(at: 0)) }
    return result
  }
}
