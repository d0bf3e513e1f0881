internal import BulkSQLite

/// An update of the columns of one relationship, whose statement is ready to be run for one row after the
/// other.
package final class KeyUpdate {
  private let statement: Statement

  fileprivate init(_ statement: consuming Statement) { self.statement = statement }

  fileprivate func run(_ key: Int64, _ values: [Int64]) throws(SQLiteError) {
    try statement.bind(.integer(key), at: 1)
    for (index, value) in values.enumerated() {
      try statement.bind(.integer(value), at: Int32(index) + 2)
    }
    try statement.run()
  }
}

extension StoreWriter {
  /// Prepares an update of columns that hold whole numbers.
  package func keyUpdate(of table: String, _ columns: [String]) throws(StoreError) -> KeyUpdate {
    let setters = columns.enumerated().map { "\(SQLText.quoted($1)) = ?\($0 + 2)" }
    return try StoreError.sqlite { () throws(SQLiteError) in
      KeyUpdate(
        try connection.prepare(
          "UPDATE main.\(SQLText.quoted(table)) SET \(setters.joined(separator: ", ")) "
            + "WHERE Z_PK = ?1"
        )
      )
    }
  }

  /// Gives the columns of an update their values in the row with a key, inside of a ``batch(_:)``.
  package func run(_ update: KeyUpdate, of key: Int64, _ values: [Int64]) throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in try update.run(key, values) }
  }

  /// Inserts a pair of a join table inside of a ``batch(_:)``, which counts as a row.
  package func insert(pair values: [Int64], with inserter: RowInserter) throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      try inserter.insert(values.map { .integer($0) })
    }
    count(1)
  }

  /// The number of the entity of a row of the destination; `nil` where there is no such row.
  package func entity(ofRow key: Int64, in table: String) throws(StoreError) -> Int64? {
    let value = try StoreError.sqlite { () throws(SQLiteError) in
      try connection.value("SELECT Z_ENT FROM main.\(SQLText.quoted(table)) WHERE rowid = \(key)")
    }
    guard case .integer(let number) = value else { return nil }
    return number
  }
}
