internal import CBulkSQLite

/// Says what a statement may do, while SQLite compiles it.
enum Authorizer {
  /// What making something does beside: it looks things up, computes an index, and enters itself in
  /// the schema.
  private static let harmless: Set<Int32> = [
    SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER,
    SQLITE_READ, SQLITE_SELECT, SQLITE_REINDEX, SQLITE_RECURSIVE,
  ]
  private static let changes: Set<Int32> = [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE]
  private static let ownTables: Set<String> = ["sqlite_master", "sqlite_schema", "sqlite_sequence"]

  /// Lets a statement make tables, indexes, views and triggers of the main database; the first argument
  /// is its ``ForeignStatement``.
  static let allowsMaking:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> Int32 = { object, action, first, second, schema, _ in
      if harmless.contains(action) { return SQLITE_OK }
      if action == SQLITE_FUNCTION {
        guard let object, let second else { return SQLITE_DENY }
        let statement = Unmanaged<ForeignStatement>.fromOpaque(object).takeUnretainedValue()
        return statement.allows(String(cString: second)) ? SQLITE_OK : SQLITE_DENY
      }
      let isOwn = first.map { ownTables.contains(String(cString: $0)) } ?? false
      let isMain = schema.map { String(cString: $0) == "main" } ?? false
      return changes.contains(action) && isOwn && isMain ? SQLITE_OK : SQLITE_DENY
    }
}
