package import BulkStore

/// Makes objects of a source without a row, in memory, to find out by what they would be computed.
package final class ForeignTrial {
  private let destination: StoreSchema
  private let carriage: Carriage
  private let makesTables: Bool
  private lazy var writer: StoreWriter? = made()

  /// - Parameters:
  ///   - destination: The schema of the store that is made.
  ///   - carriage: The tables and columns that are taken over.
  ///   - makesTables: Whether the tables are there on which objects stand.
  package init(_ destination: StoreSchema, _ carriage: Carriage, makesTables: Bool = true) {
    self.destination = destination
    self.carriage = carriage
    self.makesTables = makesTables
  }

  /// The function by which an index would be computed, and may not be.
  package func refusedFunction(of sql: String) -> String? {
    guard let writer else { return nil }
    return Self.refused { () throws(StoreError) in try writer.create(foreign: sql) }
  }

  /// The function by which a column of a table would be computed, and may not be.
  package func refusedFunction(of table: FileTable) -> String? {
    guard table.hasHiddenColumns, let writer else { return nil }
    return Self.refused { () throws(StoreError) in try writer.create(foreign: table) }
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

  private func made() -> StoreWriter? {
    guard let writer = try? StoreWriter(inMemoryFor: "the schema in memory") else { return nil }
    guard makesTables else { return writer }
    for sql in destination.tableStatements(carriage, IndexStyle(destination)) {
      try? writer.create(sql)
    }
    for table in carriage.history + carriage.tables { try? writer.create(foreign: table) }
    return writer
  }
}
