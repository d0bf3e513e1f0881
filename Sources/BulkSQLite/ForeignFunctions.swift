internal import CBulkSQLite

/// Which functions a statement of somebody else's may name.
package enum ForeignFunctions: Sendable {
  /// Any, as nothing is evaluated.
  case any
  /// Those that take a time and a memory that are linear in their arguments.
  case linear

  /// Their names, of SQLite's own; whatever repeats, replaces, formats or matches patterns is not among
  /// them.
  private static let linearNames: Set<String> = [
    "abs", "coalesce", "date", "datetime", "if", "ifnull", "iif", "json_array_length",
    "json_extract", "json_type", "json_valid", "->", "->>", "julianday", "length", "likelihood",
    "likely", "lower", "max", "min", "nullif", "octet_length", "round", "sign", "strftime",
    "substr", "substring", "time", "typeof", "unicode", "unixepoch", "unlikely", "upper",
  ]

  func allow(_ name: String) -> Bool {
    switch self {
    case .any: true
    case .linear: Self.linearNames.contains(name.lowercased())
    }
  }
}

/// A statement of somebody else's that is being made.
final class ForeignStatement {
  let functions: ForeignFunctions
  /// The first function that it names and may not.
  fileprivate(set) var refusedFunction: String?

  init(_ functions: ForeignFunctions) { self.functions = functions }

  /// Whether a function may be named.
  func allows(_ name: String) -> Bool {
    if functions.allow(name) { return true }
    refusedFunction = refusedFunction ?? name
    return false
  }
}
