internal import CBulkSQLite

/// What statements computed of a row to which many rows lead, so that it is computed once.
///
/// The values that were asked for last are kept, within a bound: whoever asks for a value again before
/// some thousand others does not compute it again.
final class RecalledValues {
  private struct Key: Hashable {
    let site: String
    let row: Int64
  }

  private var recent: [Key: SQLiteValue] = [:]
  private var older: [Key: SQLiteValue] = [:]
  /// About the bytes of ``recent``.
  private var bytes = 0

  /// The most bytes of each of the two tables.
  static let byteLimit = 512 * 1024
  /// About what a table takes for a value, beside a text.
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

  /// About the bytes of a value; `nil` for one that is not kept.
  private static func size(of value: SQLiteValue) -> Int? {
    switch value {
    case .null, .integer, .real: overhead
    case .text(let text): text.utf8.count <= byteLimit / 64 ? overhead + text.utf8.count : nil
    case .blob, .streamed: nil
    }
  }
}

extension SQLText {
  /// A value of the row to which a key leads, computed once for as many rows as have the key.
  ///
  /// - Parameters:
  ///   - value: The value in SQL, which follows from the key alone.
  ///   - site: What tells the computation from others of the connection.
  ///   - key: The key in SQL.
  /// - Returns: The value in SQL, which binds as tightly as any.
  package static func recalled(_ value: String, site: String, key: String) -> String {
    let arguments = "\(quoted(literal: site)), \(key)"
    return "CASE WHEN bulk_knows(\(arguments)) THEN bulk_recall(\(arguments)) "
      + "ELSE bulk_keep(\(arguments), \(value)) END"
  }
}

extension RecalledValues {
  /// Lets the statements of a connection use ``SQLText/recalled(_:site:key:)``; the connection must end
  /// before this does.
  func register(on handle: OpaquePointer) -> Int32 {
    let object = Unmanaged.passUnretained(self).toOpaque()
    // No schema may use them, whose values would be those of somebody else's computation.
    let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
    let knows = sqlite3_create_function_v2(
      handle,
      "bulk_knows",
      2,
      flags,
      object,
      { context, _, arguments in
        let found = RecalledValues.argument(context, arguments).flatMap { $0.value($1, $2) }
        sqlite3_result_int(context, found == nil ? 0 : 1)
      },
      nil,
      nil,
      nil
    )
    guard knows == SQLITE_OK else { return knows }
    let recall = sqlite3_create_function_v2(
      handle,
      "bulk_recall",
      2,
      flags,
      object,
      { context, _, arguments in
        let found = RecalledValues.argument(context, arguments).flatMap { $0.value($1, $2) }
        RecalledValues.give(found ?? .null, to: context)
      },
      nil,
      nil,
      nil
    )
    guard recall == SQLITE_OK else { return recall }
    return sqlite3_create_function_v2(
      handle,
      "bulk_keep",
      3,
      flags,
      object,
      { context, _, arguments in
        guard let value = arguments?[2] else { return }
        if let (values, site, row) = RecalledValues.argument(context, arguments) {
          values.keep(RecalledValues.value(value), site, row)
        }
        sqlite3_result_value(context, value)
      },
      nil,
      nil,
      nil
    )
  }

  /// The first two arguments of a function; `nil` where the second is no key.
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

  private static func value(_ value: OpaquePointer) -> SQLiteValue {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      guard let bytes = sqlite3_value_text(value) else { return .blob([]) }
      let count = Int(sqlite3_value_bytes(value))
      let text = UnsafeBufferPointer(start: bytes, count: count)
      // A text that is none is computed again, because it would not come back as it was.
      return String(validating: text, as: UTF8.self).map { .text($0) } ?? .blob([])
    case SQLITE_NULL: return .null
    default: return .blob([])
    }
  }

  private static func give(_ value: SQLiteValue, to context: OpaquePointer?) {
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
