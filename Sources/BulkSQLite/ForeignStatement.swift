internal import CBulkSQLite

/// The functions that an untrusted statement may call.
package enum ForeignFunctions: Sendable {
  /// Any, because nothing is evaluated.
  case any
  /// Those whose time and memory are linear in their arguments.
  case linear

  /// Their names, all built into SQLite; functions that repeat, replace, format or match patterns are
  /// excluded.
  private static let linearNames: Set<String> = [
    "abs", "coalesce", "date", "datetime", "if", "ifnull", "iif", "json_array_length",
    "json_extract", "json_type", "json_valid", "->", "->>", "julianday", "length", "likelihood",
    "likely", "lower", "max", "min", "nullif", "octet_length", "round", "sign", "strftime",
    "substr", "substring", "time", "typeof", "unicode", "unixepoch", "unlikely", "upper",
  ]

  func allow(_ name: String) -> Bool {
    self == .any || Self.linearNames.contains(name.lowercased())
  }
}

/// An untrusted statement that is being compiled.
final class ForeignStatement {
  let functions: ForeignFunctions
  fileprivate(set) var refusedFunction: String?

  init(_ functions: ForeignFunctions) { self.functions = functions }

  func allows(_ name: String) -> Bool {
    if functions.allow(name) { return true }
    refusedFunction = refusedFunction ?? name
    return false
  }
}

extension Connection {
  /// Compiles a statement that is not run, with all triggers and views that it would use; a function or an order of
  /// texts that SQLite does not know counts as one of the application.
  package func compile(_ sql: String) throws(SQLiteError) {
    var last = ""
    while true {
      do throws(SQLiteError) {
        _ = try prepare(sql)
        return
      } catch {
        let (function, order) = ("no such function: ", "no such collation sequence: ")
        guard error.message != last else { throw error }
        last = error.message
        if last.hasPrefix(order) {
          let name = String(last.dropFirst(order.count))
          sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, nil, { _, _, _, _, _ in 0 }, nil)
          continue
        }
        guard last.hasPrefix(function) else { throw error }
        let name = String(last.dropFirst(function.count))
        try define(name, arguments: -1, inSchemas: true) { _ in .null }
      }
    }
  }

  /// Sets whether text in double quotes counts as a text where no column has that name, as it usually does.
  package func quoteTexts(allowed: Bool) {
    bulk_sqlite_allow_quoted_texts(handle, allowed ? 1 : 0)
  }
}
