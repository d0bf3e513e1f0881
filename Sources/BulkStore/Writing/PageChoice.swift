internal import BulkSQLite

/// Decides which parts of a store are written as pages, while its tables are filled one after
/// another.
///
/// A run consults it before it fills a table.
final class PageChoice {
  private let session: StoreSession
  private let pages: PageWriter
  /// The tables that have rows, or had the chance to get some.
  private var filled: Set<String> = []
  /// The numbers of fills that are left, by table, of those that get their rows in several ones, see
  /// ``[RowFill]/series``.
  private var left: [String: Int]
  private let fillCounts: [String: Int]
  /// The tables that get large values piece by piece, and that SQLite fills for this reason.
  private let streaming: Set<String>
  /// The indexes that are made while the tables are empty, by table.
  private var made: [String: Set<String>] = [:]

  init(_ session: StoreSession, _ pages: PageWriter, fills: [RowFill]) {
    self.session = session
    self.pages = pages
    left = fills.series
    fillCounts = Dictionary(fills.map { ($0.table, 1) }, uniquingKeysWith: +)
    streaming = Set(fills.filter(\.streamsLargeValues).map(\.table))
  }

  /// Makes an index while its table is empty, unless SQLite must make it when all rows are written.
  func make(_ index: SchemaIndex) throws(StoreError) {
    guard !index.isUnique, index.condition == nil,
      try pages.holdsIntegers(index.terms.map(\.column), of: index.table)
    else { return }
    try session.transactions.execute(index.sql)
    made[index.table, default: []].insert(index.name)
  }

  func hasMade(_ index: SchemaIndex) -> Bool { made[index.table]?.contains(index.name) == true }

  /// Notes that a table gets rows, and returns whether they are the first ones.
  @discardableResult
  func fill(_ table: String) -> Bool {
    if filled.insert(table).inserted { return true }
    pages.written.forget(table)
    return false
  }

  /// Whether rows can be written as pages in turn with those of other tables: no others get into their table.
  func canFillTogether(_ rows: RowFill) throws(StoreError) -> Bool {
    guard fillCounts[rows.table] == 1, !filled.contains(rows.table), !needsSQL(rows) else {
      return false
    }
    return try pages.table(rows.table, rows.columns, indexes: made[rows.table] ?? []) != nil
  }

  private func needsSQL(_ rows: RowFill) -> Bool {
    rows.needsSQL || streaming.contains(rows.table)
  }

  /// The writer of rows into their table, which gets them now, behind those of a former writer of the same table;
  /// `nil` if SQLite inserts them.
  ///
  /// The last rows are followed by the indexes.
  func writer(
    of rows: RowFill,
    after former: TableWriter?
  ) throws(StoreError) -> (writer: TableWriter, areLast: Bool)? {
    if let left = left[rows.table] {
      self.left[rows.table] = left - 1
      filled.insert(rows.table)
    } else {
      guard fill(rows.table) else { return nil }
    }
    if needsSQL(rows) { return nil }
    let indexes = made[rows.table] ?? []
    let writer = try pages.table(rows.table, rows.columns, indexes: indexes, after: former)
    if let writer {
      writer.getsAllRows = fillCounts[rows.table] == 1
      return (writer, areLast: (left[rows.table] ?? 0) == 0)
    }
    // Rows behind others that SQLite inserted are not written as pages.
    left[rows.table] = nil
    return nil
  }
}
