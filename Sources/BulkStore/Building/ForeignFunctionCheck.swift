internal import BulkSQLite

/// Makes schema objects of a source in memory, without rows, to find out which functions would compute
/// them.
package final class ForeignFunctionCheck {
  /// The tables on which other objects depend, if there are any.
  private let definition: StoreDefinition?
  private lazy var builder: StoreBuilder? = made()

  package init(on definition: StoreDefinition? = nil) { self.definition = definition }

  /// The disallowed function that an index would call, if any.
  package func refusedFunction(of sql: String) -> String? {
    guard let builder else { return nil }
    return Self.refused { () throws(StoreError) in try builder.create(foreign: sql) }
  }

  /// The disallowed function that a column of a table would call, if any.
  package func refusedFunction(of table: FileTable) -> String? {
    guard table.hasHiddenColumns, let builder else { return nil }
    return Self.refused { () throws(StoreError) in try builder.create(foreign: table) }
  }

  /// Any other error is reported when the statement is executed.
  private static func refused(_ body: () throws(StoreError) -> Void) -> String? {
    do throws(StoreError) {
      try body()
      return nil
    } catch {
      return error.refusedFunction
    }
  }

  private func made() -> StoreBuilder? {
    guard let session = try? StoreSession(inMemoryFor: "the schema in memory") else { return nil }
    let builder = StoreBuilder(session)
    for sql in definition?.tableStatements ?? [] { try? builder.create(sql) }
    for table in (definition?.history ?? []) + (definition?.tables ?? []) {
      try? builder.create(foreign: table)
    }
    return builder
  }
}
