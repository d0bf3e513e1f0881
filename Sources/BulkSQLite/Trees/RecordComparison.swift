/// Two tables of different files whose records are compared byte by byte, without SQLite.
///
/// Rows with the same bytes are the same if the columns are declared alike. Rows that differ, and
/// irregular ones, are left to SQLite.
package final class RecordComparison {
  package enum Stop: Hashable, Sendable {
    case limit
    case end
    /// The next rows differ; the lower key is given; one of the tables may have no more.
    case difference(key: Int64)
    /// A page is irregular; all rows up to a key were skipped.
    case unreadable(after: Int64?)
  }

  private let one: TreeCursor
  private let other: TreeCursor
  private let comparesKeys: Bool
  private var lastKey: Int64?

  /// `nil` if the files are divided into pages in different ways.
  package init?(
    _ table: String,
    _ one: Connection,
    _ other: Connection,
    comparesKeys: Bool
  ) throws(SQLiteError) {
    guard let first = try Self.cursor(table, one), let second = try Self.cursor(table, other),
      first.hasSamePages(as: second)
    else { return nil }
    (self.one, self.other, self.comparesKeys) = (first, second, comparesKeys)
  }

  private static func cursor(
    _ table: String,
    _ connection: Connection
  ) throws(SQLiteError) -> TreeCursor? {
    let root = try connection.value(
      "SELECT rootpage FROM main.sqlite_schema WHERE type = 'table' "
        + "AND upper(name) = upper(\(SQLText.quoted(literal: table)))"
    )
    guard case .integer(let number) = root, let page = UInt32(exactly: number) else { return nil }
    return TreeCursor(page, of: connection.file)
  }

  /// Moves before the first rows whose key is at least the given one.
  package func begin(at key: Int64) -> Bool {
    lastKey = nil
    do {
      try one.seek(key)
      try other.seek(key)
      return true
    } catch {
      return false
    }
  }

  /// Skips at most some rows that are the same in both tables.
  package func pass(atMost limit: Int64) -> (rows: Int64, stop: Stop) {
    var rows: Int64 = 0
    do {
      while rows < limit {
        let (first, second) = (try one.next(), try other.next())
        guard let first, let second else {
          let key = first?.key ?? second?.key
          return (rows, key.map { .difference(key: $0) } ?? .end)
        }
        guard first.key == second.key || !comparesKeys, try one.isSame(first, as: other, second)
        else { return (rows, .difference(key: min(first.key, second.key))) }
        rows += 1
        lastKey = first.key
      }
      return (rows, .limit)
    } catch {
      return (rows, .unreadable(after: lastKey))
    }
  }
}
