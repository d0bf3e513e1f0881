internal import CBulkSQLite

/// A function of two whole numbers that SQL statements of one connection can call.
final class KeyFunction {
  /// Gives a whole number or nothing for two others.
  typealias Body = (Int64, Int64) throws -> Int64?

  private let body: Body

  init(_ body: @escaping Body) { self.body = body }

  /// Makes the function known to a connection, which keeps it as long as it lives.
  ///
  /// - Returns: SQLite's result code.
  func register(as name: String, with handle: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      handle,
      name,
      2,
      SQLITE_UTF8 | SQLITE_DIRECTONLY,
      Unmanaged.passRetained(self).toOpaque(),
      { context, _, arguments in KeyFunction.call(context, arguments) },
      nil,
      nil,
      { object in
        guard let object else { return }
        Unmanaged<KeyFunction>.fromOpaque(object).release()
      }
    )
  }

  private static func call(
    _ context: OpaquePointer?,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let object = sqlite3_user_data(context), let arguments else { return }
    guard sqlite3_value_type(arguments[1]) == SQLITE_INTEGER else {
      sqlite3_result_null(context)
      return
    }
    let function = Unmanaged<KeyFunction>.fromOpaque(object).takeUnretainedValue()
    function.call(
      context,
      sqlite3_value_int64(arguments[0]),
      sqlite3_value_int64(arguments[1])
    )
  }

  private func call(_ context: OpaquePointer?, _ first: Int64, _ second: Int64) {
    do {
      if let result = try body(first, second) {
        sqlite3_result_int64(context, result)
      } else {
        sqlite3_result_null(context)
      }
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
    }
  }
}
