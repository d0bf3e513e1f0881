/// The parts of a store that will be written as finished pages, and those that SQLite will write.
///
/// The tables are made in memory and stay empty, and ``PageChoice`` decides as it does in a run.
/// Only values are unknown: an index over a column of integers that holds other values is made by
/// SQLite.
package struct PageForecast {
  /// The writer of a table's rows and indexes.
  package struct Table {
    package let name: String
    /// Whether some rows are written as pages.
    package let hasPages: Bool
    /// Why SQLite inserts rows; `nil` if it inserts none.
    package let reason: SQLiteReason?
    /// Its indexes, those of its keys first.
    package let indexes: [Index]
  }

  /// The writer of an index.
  package struct Index {
    package let name: String
    /// Why SQLite makes it; `nil` if it is built as pages.
    package let reason: SQLiteReason?
  }

  /// The tables in the order of the file, followed by those that no model explains.
  package let tables: [Table]

  /// The forecast of a store.
  ///
  /// - Parameters:
  ///   - definition: The definition of the store.
  ///   - path: The name of the store in errors.
  ///   - fills: The rows that its tables get, in their order.
  ///   - reason: Why SQLite inserts all rows; `nil` if it does not.
  ///   - reasonsToWait: Why indexes must be made when all rows are written, by name.
  /// - Throws: ``StoreError`` if SQLite refuses to make a table or an R-tree of the model.
  package init(
    of definition: StoreDefinition,
    path: String,
    filledBy fills: [RowFill],
    insertedBecause reason: SQLiteReason?,
    waiting reasonsToWait: [String: SQLiteReason]
  ) throws(StoreError) {
    let session = try StoreSession(inMemoryFor: path)
    let builder = StoreBuilder(session)
    try builder.createTables(definition)
    try builder.createRTrees(definition)
    let choice = PageChoice(session, session.pageWriter(), fills: reason == nil ? fills : [])
    var waiting = reasonsToWait
    for index in definition.indexes where waiting[index.name] == nil {
      waiting[index.name] = if let reason { reason } else { try choice.make(index) }
    }
    // One that SQLite refuses to make ends a run, not a forecast.
    for table in definition.history { try? builder.create(foreign: table) }
    var ways = Ways(all: reason)
    for rows in fills { try ways.add(rows, choice) }
    for table in definition.tables { ways.inserted[table.name] = .unmanaged }
    let known = Dictionary(grouping: definition.indexes, by: \.table)
    let unmanaged = definition.unmanagedIndexes
    tables = try definition.tableNames.map { name throws(StoreError) in
      let reason = ways.reasonOfIndexes(of: name)
      let names =
        try choice.automaticIndexes(of: name).map(\.name) + (known[name] ?? []).map(\.name)
      return Table(
        name: name,
        hasPages: ways.pages.contains(name),
        reason: ways.reason(of: name),
        indexes: names.map { Index(name: $0, reason: waiting[$0] ?? reason) }
          + (unmanaged[name] ?? []).map { Index(name: $0.name, reason: .unmanaged) }
      )
    }
  }

  /// The ways of rows into tables.
  private struct Ways {
    /// Why SQLite inserts all rows.
    let all: SQLiteReason?
    /// The tables with rows that are written as pages.
    var pages: Set<String> = []
    /// Why SQLite inserts rows, by table.
    var inserted: [String: SQLiteReason] = [:]

    /// Why SQLite inserts rows of a table; `nil` if it inserts none.
    func reason(of table: String) -> SQLiteReason? { inserted[table] ?? all }

    mutating func add(_ rows: RowFill, _ choice: PageChoice) throws(StoreError) {
      guard all == nil else { return }
      switch try choice.way(of: rows, after: nil) {
      case .pages: pages.insert(rows.table)
      case .inserted(let reason): inserted[rows.table] = inserted[rows.table] ?? reason
      }
    }

    /// Why SQLite makes the indexes of a table that exist before its rows; `nil` if they are built as
    /// pages.
    func reasonOfIndexes(of table: String) -> SQLiteReason? {
      if pages.contains(table) { return nil }
      return reason(of: table) == nil ? .noRows : .insertedRows
    }
  }
}

extension StoreDefinition {
  /// The names of all tables with rows of the source.
  fileprivate var tableNames: [String] {
    schema.entityTables.map(\.name) + schema.joinTables.map(\.name) + history.map(\.name)
      + tables.map(\.name)
  }

  /// The indexes that no model explains, by table.
  fileprivate var unmanagedIndexes: [String: [FileObject]] {
    Dictionary(
      grouping: (historyIndexes + objects.map(\.object)).filter { $0.kind == .index },
      by: \.table
    )
  }
}
