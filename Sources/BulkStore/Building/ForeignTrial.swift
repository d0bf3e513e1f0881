/// Makes objects of a source without a row, in memory, to find out by what they would be computed.
package final class ForeignTrial {
  /// The tables on which objects stand, where there are any.
  private let definition: StoreDefinition?
  private lazy var builder: StoreBuilder? = made()

  package init(on definition: StoreDefinition? = nil) { self.definition = definition }

  /// The function by which an index would be computed, and may not be.
  package func refusedFunction(of sql: String) -> String? {
    guard let builder else { return nil }
    return Self.refused { () throws(StoreError) in try builder.create(foreign: sql) }
  }

  /// The function by which a column of a table would be computed, and may not be.
  package func refusedFunction(of table: FileTable) -> String? {
    guard table.hasHiddenColumns, let builder else { return nil }
    return Self.refused { () throws(StoreError) in try builder.create(foreign: table) }
  }

  /// What else keeps a statement from being carried out, whoever carries it out finds.
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
