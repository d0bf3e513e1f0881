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
  /// The first function in it that is not allowed.
  fileprivate(set) var refusedFunction: String?

  init(_ functions: ForeignFunctions) { self.functions = functions }

  /// Whether a function is allowed.
  func allows(_ name: String) -> Bool {
    if functions.allow(name) { return true }
    refusedFunction = refusedFunction ?? name
    return false
  }
}
