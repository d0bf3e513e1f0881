import BulkSQLite

/// Compares tables of two files value by value.
struct TableComparison {
  private let written: Connection
  private let expected: Connection

  init(_ written: Connection, _ expected: Connection) {
    self.written = written
    self.expected = expected
  }

  /// - Throws: ``Finding`` if they differ, or the first file is damaged.
  func run(_ tables: [DrawnTable]) throws {
    for table in tables { try compare(table) }
    let verdict = try written.value("PRAGMA main.integrity_check")
    guard verdict == .text("ok") else {
      throw Finding("integrity_check: \(String(describing: verdict))")
    }
  }

  private func compare(_ table: DrawnTable) throws {
    let names = (["rowid"] + table.columns.map(\.name)).joined(separator: ", ")
    let sql = "SELECT \(names) FROM main.\(table.name) NOT INDEXED ORDER BY rowid"
    let mine = try written.prepare(sql)
    let wanted = try expected.prepare(sql)
    while try wanted.step() {
      guard try mine.step() else { throw Finding("\(table.name): a row is missing") }
      for column in 0..<wanted.columnCount where !Self.same(mine, wanted, column) {
        let values = [mine.value(at: column).literal, wanted.value(at: column).literal]
        throw Finding(
          "\(table.name).\(wanted.name(at: column)) of row \(wanted.int64(at: 0)): "
            + values.map { String($0.prefix(200)) }.joined(separator: " instead of ")
        )
      }
    }
    guard try !mine.step() else { throw Finding("\(table.name): a row too many") }
  }

  private static func same(
    _ one: borrowing Statement,
    _ other: borrowing Statement,
    _ column: Int32
  ) -> Bool {
    let kind = one.storageClass(at: column)
    guard kind == other.storageClass(at: column) else { return false }
    switch kind {
    case .null: return true
    case .integer: return one.int64(at: column) == other.int64(at: column)
    case .real:
      return one.double(at: column).bitPattern == other.double(at: column).bitPattern
    case .text, .blob: return one.blob(at: column) == other.blob(at: column)
    }
  }
}
