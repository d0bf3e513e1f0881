internal import BulkSQLite

/// Association tables in a temporary table, in which SQL finds their keys.
package struct ListedAssociations {
  private let session: StoreSession
  private let order: AssociationOrder
  private var table: String { "temp.\(order.rawValue)" }

  package init(_ session: StoreSession, by order: AssociationOrder) {
    (self.session, self.order) = (session, order)
  }

  /// Makes the temporary table, empty; it must exist before rows of the source are read.
  package func makeTable() throws(StoreError) {
    try session.connection.execute(
      "CREATE TEMP TABLE IF NOT EXISTS \(order.rawValue) (association INTEGER, known INTEGER, "
        + "other INTEGER, PRIMARY KEY (association, known, other)) WITHOUT ROWID; DELETE FROM \(table)"
    )
  }

  /// Lists the association table with a number, from a body that calls another with all its pairs.
  package func add(
    _ index: Int,
    _ pairs: (_ add: (Int64, Int64) throws -> Void) throws -> Void
  ) throws {
    let insertion = try session.prepare("INSERT OR IGNORE INTO \(table) VALUES (\(index), ?1, ?2)")
    try pairs { source, object in
      try insertion.bind(.integer(order == .source ? source : object), at: 1)
      try insertion.bind(.integer(order == .source ? object : source), at: 2)
      try insertion.run()
    }
  }

  /// The keys that belong to one in the association table with a number, ascending.
  package func keys(of key: Int64, in index: Int) throws(StoreError) -> [Int64] {
    let statement = try session.prepare(
      "SELECT other FROM \(table) WHERE association = \(index) AND known = ?1"
    )
    try statement.bind(.integer(key), at: 1)
    var result: [Int64] = []
    while try statement.step() { result.append(statement.int64(at: 0)) }
    return result
  }
}
