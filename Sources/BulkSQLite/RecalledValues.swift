internal import CBulkSQLite

/// A cache of values that statements compute from a row that many rows reference.
///
/// It keeps the values that were used most recently, within a limit: a value that is needed again within
/// some thousand others is not computed again.
final class RecalledValues {
  private struct Key: Hashable {
    let site: String
    let row: Int64
  }

  private var recent: [Key: SQLiteValue] = [:]
  private var older: [Key: SQLiteValue] = [:]
  /// The approximate size of ``recent`` in bytes.
  private var bytes = 0

  /// The size limit of each of the two tables in bytes.
  static let byteLimit = 512 * 1024
  /// The approximate overhead of an entry in bytes, without its text.
  private static let overhead = 128

  fileprivate func value(_ site: String, _ row: Int64) -> SQLiteValue? {
    let key = Key(site: site, row: row)
    if let value = recent[key] { return value }
    guard let value = older[key] else { return nil }
    keep(value, key)
    return value
  }

  fileprivate func keep(_ value: SQLiteValue, _ site: String, _ row: Int64) {
    keep(value, Key(site: site, row: row))
  }

  private func keep(_ value: SQLiteValue, _ key: Key) {
    guard let size = Self.size(of: value) else { return }
    if bytes + size > Self.byteLimit {
      older = recent
      recent = [:]
      bytes = 0
    }
    bytes += size
    recent[key] = value
  }

  /// The approximate size of a value in bytes; `nil` if it is not cached.
  private static func size(of value: SQLiteValue) -> Int? {
    switch value {
    case .null, .integer, .real: overhead
    case .text(let text): text.utf8.count <= byteLimit / 64 ? overhead + text.utf8.count : nil
    case .blob, .streamed: nil
    }
  }
}

extension SQLText {
  /// A value of the row with a key, computed once for all rows that reference the key; it must depend on that alone.
  ///
  /// The site distinguishes the computation from others on the connection. The result may be an operand of any
  /// operator.
  package static func recalled(_ value: String, site: String, key: String) -> String {
    let arguments = "\(quoted(literal: site)), \(key)"
    return "CASE WHEN bulk_knows(\(arguments)) THEN bulk_recall(\(arguments)) "
      + "ELSE bulk_keep(\(arguments), \(value)) END"
  }
}

extension RecalledValues {
  /// Registers the functions of ``SQLText/recalled(_:site:key:)`` on a connection, which must be closed
  /// before this object is released.
  func register(on handle: OpaquePointer) -> Int32 {
    let knows = SQLFunction.register("bulk_knows", arguments: 2, of: self, on: handle) {
      context,
      _,
      arguments in
      let found = RecalledValues.argument(context, arguments).flatMap { $0.value($1, $2) }
      sqlite3_result_int(context, found == nil ? 0 : 1)
    }
    guard knows == SQLITE_OK else { return knows }
    let recall = SQLFunction.register("bulk_recall", arguments: 2, of: self, on: handle) {
      context,
      _,
      arguments in
      let found = RecalledValues.argument(context, arguments).flatMap { $0.value($1, $2) }
      RecalledValues.give(found ?? .null, to: context)
    }
    guard recall == SQLITE_OK else { return recall }
    return SQLFunction.register("bulk_keep", arguments: 3, of: self, on: handle) {
      context,
      _,
      arguments in
      guard let value = arguments?[2] else { return }
      if let (values, site, row) = RecalledValues.argument(context, arguments) {
        values.keep(RecalledValues.value(value), site, row)
      }
      sqlite3_result_value(context, value)
    }
  }

  /// The first two arguments of a function; `nil` if the second is not a key.
  private static func argument(
    _ context: OpaquePointer?,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) -> (RecalledValues, String, Int64)? {
    guard
      let object = sqlite3_user_data(context), let arguments,
      sqlite3_value_type(arguments[1]) == SQLITE_INTEGER,
      let site = sqlite3_value_text(arguments[0])
    else { return nil }
    return (
      Unmanaged<RecalledValues>.fromOpaque(object).takeUnretainedValue(), String(cString: site),
      sqlite3_value_int64(arguments[1])
    )
  }

  static func value(_ value: OpaquePointer) -> SQLiteValue {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      guard let bytes = sqlite3_value_text(value) else { return .blob([]) }
      let count = Int(sqlite3_value_bytes(value))
      let text = UnsafeBufferPointer(start: bytes, count: count)
      // Malformed text is not cached, because it would come back changed.
      return String(validating: text, as: UTF8.self).map { .text($0) } ?? .blob([])
    case SQLITE_NULL: return .null
    default: return .blob([])
    }
  }

  static func give(_ value: SQLiteValue, to context: OpaquePointer?) {
    switch value {
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(var text):
      text.withUTF8 { bytes in
        guard let base = bytes.baseAddress else {
          return sqlite3_result_text(context, "", 0, bulk_sqlite_transient())
        }
        base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_result_text(context, $0, Int32(bytes.count), bulk_sqlite_transient())
        }
      }
    case .null, .blob, .streamed: sqlite3_result_null(context)
    }
  }
}
