internal import BulkSQLite

/// Decides which parts of a store are written as pages, while its tables are filled one after
/// another.
///
/// A run consults it before it fills a table; a plan does the same about tables that stay empty.
final class PageChoice {
  /// The writer of rows into a table.
  enum Way {
    /// As pages; the last rows of their table are followed by its indexes.
    case pages(TableWriter, areLast: Bool)
    case inserted(SQLiteReason)
  }

  private let session: StoreSession
  private let pages: PageWriter
  /// The tables that have rows, or had the chance to get some.
  private var filled: Set<String> = []
  /// The numbers of fills that are left, by table, of those that get their rows in several ones, see
  /// ``[RowFill]/series``.
  private var left: [String: Int]
  /// The number of fills of each table.
  private let fillCounts: [String: Int]
  /// The names of the indexes that are made while the tables are empty, by table.
  private var made: [String: Set<String>] = [:]

  /// Chooses for all rows that tables will get, in their order.
  init(_ session: StoreSession, _ pages: PageWriter, fills: [RowFill]) {
    self.session = session
    self.pages = pages
    left = fills.series
    fillCounts = Dictionary(fills.map { ($0.table, 1) }, uniquingKeysWith: +)
  }

  /// Makes an index while its table is empty, or returns why SQLite must make it when all rows are written.
  ///
  /// - Throws: ``StoreError`` if the file cannot be written.
  func make(_ index: SchemaIndex) throws(StoreError) -> SQLiteReason? {
    if index.isUnique { return .unique }
    if index.condition != nil { return .condition }
    if let column = try otherColumn(among: index.terms.map(\.column), of: index.table) {
      return .noIntegers(column: column)
    }
    try session.transactions.execute(index.sql)
    made[index.table, default: []].insert(index.name)
    return nil
  }

  /// Whether an index was made while its table was empty.
  func hasMade(_ index: SchemaIndex) -> Bool { made[index.table]?.contains(index.name) == true }

  /// Notes that a table gets rows, and returns whether they are the first ones.
  @discardableResult
  func fill(_ table: String) -> Bool {
    if filled.insert(table).inserted { return true }
    pages.written.forget(table)
    return false
  }

  /// Whether rows can be written as pages in turn with those of other tables: no others get into their table.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read.
  func canFillTogether(_ rows: RowFill) throws(StoreError) -> Bool {
    guard fillCounts[rows.table] == 1, !filled.contains(rows.table), !rows.mayRepeat else {
      return false
    }
    return try pages.table(rows.table, rows.columns, indexes: made[rows.table] ?? []) != nil
  }

  /// The writer of rows into their table, which gets them now, behind those of a former writer of
  /// the same table.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read.
  func way(of rows: RowFill, after former: TableWriter?) throws(StoreError) -> Way {
    if let left = left[rows.table] {
      self.left[rows.table] = left - 1
      filled.insert(rows.table)
    } else {
      guard fill(rows.table) else { return .inserted(.filledBefore) }
    }
    if rows.streamsLargeValues { return .inserted(.largeValues) }
    if rows.mayRepeat { return .inserted(.repeatedRows) }
    let indexes = made[rows.table] ?? []
    let writer = try pages.table(rows.table, rows.columns, indexes: indexes, after: former)
    if let writer {
      writer.getsAllRows = fillCounts[rows.table] == 1
      return .pages(writer, areLast: (left[rows.table] ?? 0) == 0)
    }
    // Rows behind others that SQLite inserted are not written as pages.
    left[rows.table] = nil
    return .inserted(try reason(against: rows.table))
  }

  /// The reason in the statement of a table that keeps it from being written as pages.
  private func reason(against table: String) throws(StoreError) -> SQLiteReason {
    for index in try automaticIndexes(of: table) {
      if let column = try otherColumn(among: index.columns, of: table) {
        return .constraint(column: column)
      }
    }
    let name = SQLText.quoted(literal: table)
    let isCounted = try session.value(
      "SELECT 1 FROM main.sqlite_schema WHERE name = \(name) AND sql LIKE '%AUTOINCREMENT%'"
    )
    return isCounted == nil ? .form : .countedKeys
  }

  /// The first of some columns that is not declared to hold integers.
  private func otherColumn(
    among columns: [String],
    of table: String
  ) throws(StoreError) -> String? {
    for column in columns {
      let holdsIntegers = try pages.holdsIntegers([column], of: table)
      if !holdsIntegers { return column }
    }
    return nil
  }

  /// The indexes that SQLite makes for keys and constraints of a table's statement.
  func automaticIndexes(
    of table: String
  ) throws(StoreError) -> [(name: String, columns: [String])] {
    var result: [(name: String, columns: [String])] = []
    let rows = try session.prepare(
      "SELECT l.name, i.name FROM pragma_index_list(\(SQLText.quoted(literal: table)), 'main') AS l "
        + "JOIN pragma_index_info(l.name, 'main') AS i WHERE l.origin <> 'c' "
        + "ORDER BY l.seq DESC, i.seqno"
    )
    while try rows.step() {
      let (name, column) = (rows.text(at: 0), rows.text(at: 1))
      if result.last?.name == name {
        result[result.count - 1].columns.append(column)
      } else {
        result.append((name, [column]))
      }
    }
    return result
  }
}
