internal import CBulkSQLite

/// The arguments of a call of a function in SQL; they are valid during the call.
struct FunctionArguments {
  fileprivate let values: UnsafeMutablePointer<OpaquePointer?>

  func isInteger(at index: Int) -> Bool { sqlite3_value_type(values[index]) == SQLITE_INTEGER }

  func isNull(at index: Int) -> Bool { sqlite3_value_type(values[index]) == SQLITE_NULL }

  func int64(at index: Int) -> Int64 { sqlite3_value_int64(values[index]) }

  func bytes(at index: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(values[index])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[index])))
  }

  /// A value; a blob, and a text that is not well formed, as an empty blob.
  func value(at index: Int) -> SQLiteValue {
    switch sqlite3_value_type(values[index]) {
    case SQLITE_INTEGER: return .integer(int64(at: index))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(values[index]))
    case SQLITE_TEXT:
      guard let bytes = sqlite3_value_text(values[index]) else { return .blob([]) }
      let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(values[index])))
      return String(validating: text, as: UTF8.self).map { .text($0) } ?? .blob([])
    case SQLITE_NULL: return .null
    default: return .blob([])
    }
  }
}

extension Connection {
  /// Lets statements call a function.
  ///
  /// A schema must not call it unless it is allowed to: it would get values that belong to other rows.
  ///
  /// A function that was defined under the name before is replaced, which fails while a statement
  /// runs that calls it. -1 arguments stand for any number of them. A deterministic function has
  /// the same value for equal arguments. The statement fails with the text of an error of the body, which gives `nil` for
  /// the last argument as it is.
  func define(
    _ name: String,
    arguments count: Int32,
    isDeterministic: Bool = false,
    inSchemas isAllowed: Bool = false,
    _ body: @escaping (FunctionArguments) throws -> SQLiteValue?
  ) throws(SQLiteError) {
    let code = sqlite3_create_function_v2(
      handle,
      name,
      count,
      SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
        | (isAllowed ? 0 : SQLITE_DIRECTONLY),
      Unmanaged.passRetained(SQLFunction(body)).toOpaque(),
      { context, count, arguments in
        guard let object = sqlite3_user_data(context), let arguments else { return }
        Unmanaged<SQLFunction>.fromOpaque(object)._withUnsafeGuaranteedRef {
          $0.answer(arguments, Int(count), to: context)
        }
      },
      nil,
      nil,
      { object in
        if let object { Unmanaged<SQLFunction>.fromOpaque(object).release() }
      }
    )
    guard code == SQLITE_OK else { throw lastError() }
  }

  /// Lets statements, but no trigger, view or index, call a function of one value.
  ///
  /// A function that was defined under the name before is replaced. The body gives `nil` for the
  /// argument itself; text that is not well formed comes as an empty blob.
  package func define(
    _ name: String,
    _ body: @escaping (SQLiteValue) -> SQLiteValue?
  ) throws(SQLiteError) {
    try define(name, arguments: 1, isDeterministic: true) { body($0.value(at: 0)) }
  }
}

/// The body of a function, which SQLite owns.
private final class SQLFunction {
  private let body: (FunctionArguments) throws -> SQLiteValue?

  init(_ body: @escaping (FunctionArguments) throws -> SQLiteValue?) { self.body = body }

  func answer(
    _ arguments: UnsafeMutablePointer<OpaquePointer?>,
    _ count: Int,
    to context: OpaquePointer?
  ) {
    do {
      if let value = try body(FunctionArguments(values: arguments)) {
        Self.give(value, to: context)
      } else {
        sqlite3_result_value(context, arguments[count - 1])
      }
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
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
    // SQLite takes no bytes at all for NULL.
    case .blob(let bytes) where bytes.isEmpty: sqlite3_result_zeroblob(context, 0)
    case .blob(let bytes):
      sqlite3_result_blob(context, bytes, Int32(bytes.count), bulk_sqlite_transient())
    case .null, .streamed: sqlite3_result_null(context)
    }
  }
}
