internal import BulkModel
internal import BulkSQLite

/// Makes schema objects of a source in memory, without rows, to find out which of them a store cannot have: nothing of
/// them runs.
package struct ForeignObjectTrial {
  private let session: StoreSession
  private var connection: Connection { session.connection }

  /// Makes the tables and indexes of a definition, on which other objects depend; `nil` if memory runs out.
  package init?(on definition: StoreDefinition? = nil) {
    guard let session = try? StoreSession(inMemoryFor: "the schema in memory") else { return nil }
    self.session = session
    // Nothing runs, and the application may trust its own schema.
    try? connection.execute("PRAGMA trusted_schema = ON")
    guard let definition else { return }
    let builder = StoreBuilder(session)
    try? builder.make(.ownTables, of: definition)
    try? builder.createTables(definition)
    for table in definition.history + definition.tables {
      try? builder.make(.table(table), of: definition)
      // Columns that are computed from one another would be compiled again and again.
      if table.hasHiddenColumns, let columns = try? columns(of: table.name) {
        replace("TABLE", table.name, by: columns)
      }
    }
    for index in definition.indexes { try? builder.create(index.sql) }
    try? builder.createRTrees(definition)
  }

  package func refusedFunction(of table: FileTable) -> String? {
    do throws(StoreError) {
      try StoreBuilder(session).create(foreign: table)
      return nil
    } catch {
      return error.refusedFunction
    }
  }

  /// The reasons for which indexes, views and triggers do not fit the tables; any other error is reported when the
  /// statement is executed.
  ///
  /// A view that fits is replaced by a table with its columns, because SQLite compiles a view again wherever another one
  /// reads it. A statement whose queries read one another by name is not compiled for the same reason.
  ///
  /// With `isStrict` a text in double quotes in an object may be the name of a column that is gone.
  package func faults(
    of objects: [StoreDefinition.Object],
    isStrict: (FileObject) -> Bool
  ) -> [FileObject: String] {
    var faults: [FileObject: String] = [:]
    var views: [String: StoreDefinition.Object] = [:]
    func attempt(_ entry: StoreDefinition.Object) {
      connection.quoteTexts(allowed: !isStrict(entry.object))
      do throws(StoreError) {
        try compile(entry, on: views[entry.object.table.uppercased()])
      } catch {
        faults[entry.object] =
          error.refusedFunction.map {
            "it is computed by \($0)(), which may take any time and memory"
          }
          ?? (error.result == .other && !error.isOfUnknownFunction
            ? "it does not compile: \(error.message)" : nil)
      }
    }
    let opaque = objects.filter { $0.object.kind == .virtualTable || $0.object.repeatsQueries }
    for object in opaque.map(\.object) where object.kind != .trigger {
      // No module is called; the statement names most of the columns.
      let columns = object.words.union(["RANK", "DOCID"]).subtracting(["ROWID"])
      replace("TABLE", object.name, by: columns.sorted())
    }
    let names = Set(opaque.map { $0.object.name.uppercased() })
    let compiled = Dictionary(
      grouping: objects.filter {
        names.isDisjoint(with: [$0.object.name.uppercased(), $0.object.table.uppercased()])
          // What such a table has is a matter of its module.
          && (names.isDisjoint(with: $0.object.words) || isStrict($0.object))
      },
      by: \.object.kind
    )
    compiled[.index]?.forEach { attempt($0) }
    for view in Self.inOrder(compiled[.view] ?? []) {
      attempt(view)
      if faults[view.object] == nil { views[view.object.name.uppercased()] = view }
    }
    compiled[.trigger]?.forEach { attempt($0) }
    return faults
  }

  /// Views, each after those that it names.
  private static func inOrder(_ views: [StoreDefinition.Object]) -> [StoreDefinition.Object] {
    var waiting = Dictionary(firstOf: views.map { ($0.object.name.uppercased(), $0) })
    var result: [StoreDefinition.Object] = []
    for view in views {
      // A view goes on the way again beneath those that it names.
      var way = [view.object.name.uppercased()]
      var begun: Set<String> = []
      while let name = way.last {
        guard let next = waiting[name] else {
          way.removeLast()
          continue
        }
        guard begun.insert(name).inserted else {
          result.append(next)
          waiting[name] = nil
          continue
        }
        way += next.object.words.filter { waiting[$0] != nil && !begun.contains($0) }.sorted()
      }
    }
    return result
  }

  /// Compiles an object; of a trigger the statements for which it fires, while no other trigger is there.
  ///
  /// A table may stand in the place of the view to which the object belongs.
  private func compile(
    _ entry: StoreDefinition.Object,
    on view: StoreDefinition.Object?
  ) throws(StoreError) {
    guard entry.object.kind != .index else { return try connection.execute(foreign: entry.sql) }
    let name = entry.object.table
    let table = "main.\(SQLText.quoted(name))"
    guard entry.object.kind == .trigger else {
      try connection.execute(foreign: entry.sql, .any)
      var columns: [String]?
      defer { replace("VIEW", name, by: columns) }
      try connection.compile("SELECT * FROM \(table)")
      columns = try self.columns(of: name)
      return
    }
    let columns = try columns(of: name)
    if let view {
      try connection.execute("DROP TABLE \(table)")
      try connection.execute(foreign: view.sql, .any)
    }
    defer {
      if view != nil { replace("VIEW", name, by: columns) }
      try? connection.execute("DROP TRIGGER IF EXISTS main.\(SQLText.quoted(entry.object.name))")
    }
    try connection.execute(foreign: entry.sql, .any)
    let values = columns.map { "\(SQLText.quoted($0)) = NULL" }.joined(separator: ", ")
    for sql in [
      "INSERT INTO \(table) DEFAULT VALUES", "DELETE FROM \(table)",
      "UPDATE \(table) SET \(values)",
    ] {
      do throws(StoreError) {
        try connection.compile(sql)
      } catch {
        // Of a view only those rows change for which it has a trigger.
        guard view != nil, error.message.hasPrefix("cannot modify ") else { throw error }
      }
    }
  }

  private func columns(of name: String) throws(StoreError) -> [String] {
    try connection.columns(of: name).map(\.name)
  }

  private func replace(_ kind: String, _ name: String, by columns: [String]?) {
    let quoted = "main.\(SQLText.quoted(name))"
    try? connection.execute("DROP \(kind) IF EXISTS \(quoted)")
    guard let columns else { return }
    let list = columns.map { SQLText.quoted($0) }.joined(separator: ", ")
    try? connection.execute("CREATE TABLE \(quoted) (\(list))")
  }
}

extension StoreError {
  /// Whether a function of the application is an aggregate or a window function, of which nothing else is known.
  fileprivate var isOfUnknownFunction: Bool {
    message.contains("may not be used as a window function") || message.contains("non-aggregate")
  }
}

extension FileObject {
  package var words: Set<String> { Set(allWords) }

  /// The columns of the table whose changes alone make a trigger fire.
  package var observedColumns: Set<String> {
    let words = allWords
    let start = words.indices.dropFirst().first { words[($0 - 1)...$0] == ["UPDATE", "OF"] }
    guard kind == .trigger, let start else { return [] }
    return Set(words[(start + 1)...].prefix { $0 != "ON" })
  }

  /// Whether queries that it names (WITH) may read one another, so that their number grows with every level.
  fileprivate var repeatsQueries: Bool {
    let words = allWords
    return words.contains("WITH") && words.count { $0 == "SELECT" } > 3
  }

  private var allWords: [String] {
    sql.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { $0.uppercased() }
  }
}
