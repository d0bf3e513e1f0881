internal import BulkSupport
internal import BulkSQLite

extension DerivedAttribute {
  /// Computes the values of all rows; rows that have them already are not written.
  ///
  /// It is one transaction. A random number follows from the attribute's name and the row's key, so
  /// that each run makes the same store. The time is in seconds since 2001-01-01 00:00:00 UTC.
  /// Throws also if a sum exceeds 64 bits.
  package func compute(_ session: StoreSession, now: Double) throws(StoreError) {
    try session.transactions.transaction { () throws(StoreError) in
      try defineFunction(on: session.connection)
      try session.run(updateSQL(now: now), overRowsOf: table)
    }
  }

  private func defineFunction(on connection: Connection) throws(SQLiteError) {
    switch derivation {
    case .value(_, _, let function?):
      try connection.define(function.sqlName) { value in
        guard case .text(let text) = value else { return nil }
        return .text(function.result(for: text))
      }
    case .random:
      let seed = key.description.utf8.reduce(0) { RandomMix.mixed($0, with: UInt64($1)) }
      try connection.define(Self.random) { value in
        guard case .integer(let key) = value else { return .null }
        return .integer(
          Int64(bitPattern: RandomMix.mixed(seed, with: UInt64(bitPattern: key)) >> 1)
        )
      }
    case .now, .value, .members: break
    }
  }

  private static let random = "bulk_random"

  /// The statement that computes the values of rows with row ids from parameter 1 to parameter 2.
  private func updateSQL(now: Double) -> String {
    let value =
      switch derivation {
      case .now: SQLiteValue.real(now).literal
      case .random(let mask): "\(Self.random)(d.Z_PK) & \(mask)"
      case .value, .members: value(ofRow: "d")
      }
    let column = SQLText.quoted(column)
    return "UPDATE main.\(SQLText.quoted(table)) AS d NOT INDEXED SET \(column) = \(value) "
      + "WHERE d.rowid BETWEEN ?1 AND ?2 "
      + "AND d.Z_ENT BETWEEN \(entityNumbers.lowerBound) AND \(entityNumbers.upperBound) "
      + "AND d.\(column) IS NOT (\(value))"
  }
}
