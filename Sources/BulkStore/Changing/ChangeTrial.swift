internal import BulkSQLite

/// Changes the tables of a store in memory, without rows, to find out whether SQLite can do it: views,
/// unusual names and old statements may keep it from that.
package struct ChangeTrial {
  private let schema: FileSchema

  package init(_ schema: FileSchema) { self.schema = schema }

  /// Why SQLite cannot change the tables; `nil` if it can.
  package func obstacle(to changes: StoreChanges) -> String? {
    do throws(StoreError) {
      let session = try StoreSession(inMemoryFor: "the schema in memory")
      let connection = session.connection
      try StoreError.sqlite { () throws(SQLiteError) in
        for table in schema.tables { try connection.execute(foreign: table.sql, .any) }
        for object in schema.objects where object.kind != .virtualTable {
          try connection.execute(foreign: object.sql, .any)
        }
        for statement in changes.statements { try connection.execute(statement) }
        for index in changes.newIndexes { try connection.execute(index.sql) }
      }
      return nil
    } catch {
      return error.reason
    }
  }
}
