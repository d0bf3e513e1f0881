internal import CBulkSQLite

/// A function of one value in SQL.
private final class ScalarFunction {
  private let body: (SQLiteValue) -> SQLiteValue?

  init(_ body: @escaping (SQLiteValue) -> SQLiteValue?) { self.body = body }

  func answer(_ argument: OpaquePointer, to context: OpaquePointer) {
    if let value = body(RecalledValues.value(argument)) {
      RecalledValues.give(value, to: context)
    } else {
      sqlite3_result_value(context, argument)
    }
  }
}

extension Connection {
  /// Lets statements, but no trigger, view or index, call a function of one value.
  ///
  /// - Parameters:
  ///   - name: The name of the function; one that was defined under it before is replaced.
  ///   - body: The function; `nil` stands for the argument itself. Text that is not well formed comes as an empty blob.
  /// - Throws: ``SQLiteError`` while a statement runs that calls the function replaced.
  package func define(
    _ name: String,
    _ body: @escaping (SQLiteValue) -> SQLiteValue?
  ) throws(SQLiteError) {
    let code = sqlite3_create_function_v2(
      handle,
      name,
      1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
      Unmanaged.passRetained(ScalarFunction(body)).toOpaque(),
      { context, _, arguments in
        guard let context, let object = sqlite3_user_data(context), let argument = arguments?[0]
        else { return }
        Unmanaged<ScalarFunction>.fromOpaque(object).takeUnretainedValue()
          .answer(argument, to: context)
      },
      nil,
      nil,
      { object in
        if let object { Unmanaged<ScalarFunction>.fromOpaque(object).release() }
      }
    )
    guard code == SQLITE_OK else { throw lastError() }
  }
}
