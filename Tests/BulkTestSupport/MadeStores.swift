internal import BulkSQLite
internal import Foundation
internal import Testing

/// The stores that migrations make in the folders of tests.
enum MadeStores {
  /// The names under which tests have them made; a test that breaks one gives it another name.
  private static let names = ["destination.sqlite", "new.sqlite"]

  /// Records an issue for each of them in which SQLite finds something wrong: a page, the order of
  /// keys, an index without an entry of a row, or a trigger that does not compile.
  static func check(in folder: String) {
    for name in names {
      if let fault = fault(of: folder + "/" + name) { Issue.record("\(name): \(fault)") }
    }
  }

  private static func fault(of path: String) -> String? {
    let file = FileHandle(forReadingAtPath: path)
    // Some tests put another file in the way of a store.
    guard let start = try? file?.read(upToCount: 16), start == Data("SQLite format 3\0".utf8) else {
      return nil
    }
    do {
      let connection = try Connection(path: path, access: .readWrite)
      // Rows are taken over even if they violate the constraints of their own table.
      try connection.execute("PRAGMA ignore_check_constraints = ON")
      let found = try connection.value("PRAGMA integrity_check(1)")
      guard found == .text("ok") else { return found.map { "\($0)" } }
      return try staleTrigger(connection)
    } catch {
      return error.result == .corrupt ? error.message : nil
    }
  }

  /// Why a row of a table with triggers cannot be inserted, changed or deleted; nothing is done.
  private static func staleTrigger(_ connection: Connection) throws(SQLiteError) -> String? {
    // Applications trust the schema of their stores.
    try connection.execute("PRAGMA trusted_schema = ON")
    let statement = try connection.prepare(
      "SELECT DISTINCT t.tbl_name, c.name FROM sqlite_schema AS t, pragma_table_info(t.tbl_name) AS c "
        + "WHERE t.type = 'trigger' AND EXISTS "
        + "(SELECT 1 FROM sqlite_schema AS s WHERE s.type = 'table' AND s.name = t.tbl_name)"
    )
    var columns: [String: [String]] = [:]
    while try statement.step() {
      columns[statement.text(at: 0), default: []].append(statement.text(at: 1))
    }
    for (name, columns) in columns {
      let table = SQLText.quoted(name)
      let values = columns.map { "\(SQLText.quoted($0)) = NULL" }.joined(separator: ", ")
      for sql in [
        "INSERT INTO \(table) DEFAULT VALUES", "UPDATE \(table) SET \(values)",
        "DELETE FROM \(table)",
      ] {
        do throws(SQLiteError) {
          try connection.compile(sql)
        } catch {
          return "\(sql): \(error.message)"
        }
      }
    }
    return nil
  }
}
