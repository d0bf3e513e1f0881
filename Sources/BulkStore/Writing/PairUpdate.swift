internal import BulkSQLite

/// An update whose statement is ready to be run for one pair of a source and a destination row after
/// the other.
package final class PairUpdate {
  private let statement: Statement

  init(_ statement: consuming Statement) { self.statement = statement }

  /// Fills in the destination row that was made of a source row.
  package func run(_ sourceKey: Int64, _ destinationKey: Int64) throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      try statement.bind(.integer(sourceKey), at: 1)
      try statement.bind(.integer(destinationKey), at: 2)
      try statement.run()
    }
  }
}

extension StoreWriter {
  /// Prepares an update for pairs of rows.
  package func pairUpdate(_ update: RowUpdate) throws(StoreError) -> PairUpdate {
    try StoreError.sqlite { () throws(SQLiteError) in
      PairUpdate(try connection.prepare(update.pairSQL))
    }
  }
}
