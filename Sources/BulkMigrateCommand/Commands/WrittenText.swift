import BulkPlan

/// What a plan writes as finished pages, and what SQLite does, as text.
struct WrittenText {
  private let tables: [MigrationPlan.WrittenTable]

  init(_ tables: [MigrationPlan.WrittenTable]) { self.tables = tables }

  /// The lines: how much is written as pages, and what is not, each with its reason.
  var lines: [String] {
    let pages = tables.filter { $0.rows == .pages || $0.rows == .both }.count
    let indexes = tables.flatMap(\.indexes).filter(\.isBuiltAsPages).count
    guard pages > 0 || !others.isEmpty else { return [] }
    let (table, index) = (pages == 1 ? "table" : "tables", indexes == 1 ? "index" : "indexes")
    return ["", "as pages     \(pages) \(table), \(indexes) \(index)"]
      + others.enumerated().map {
        ($0.offset == 0 ? "by SQLite    " : "             ") + $0.element
      }
  }

  /// What SQLite does.
  private var others: [String] { tables.flatMap(rows) + tables.flatMap(indexes) }

  private func rows(of table: MigrationPlan.WrittenTable) -> [String] {
    guard let reason = table.reason else { return [] }
    return ["\(table.rows == .both ? "later rows of " : "")\(table.table): \(reason)"]
  }

  private func indexes(of table: MigrationPlan.WrittenTable) -> [String] {
    // An empty table has empty indexes, and those of a table of SQLite's are SQLite's.
    guard table.rows == .pages || table.rows == .both else { return [] }
    return table.indexes.compactMap { index in
      index.reason.map { "index \(index.index): \($0)" }
    }
  }
}
