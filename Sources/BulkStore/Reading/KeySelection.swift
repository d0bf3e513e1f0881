package import BulkSQLite

/// Reads the keys of source rows that satisfy conditions and a program from their records, without SQL.
package struct KeySelection {
  private let records: RecordSelection

  /// A selection; `nil` where SQL is needed.
  ///
  /// - Parameters:
  ///   - table: The source table.
  ///   - conditions: The conditions on its rows.
  ///   - session: The session that reads the source.
  ///   - program: Returns the program, which holds where it is 1.
  /// - Throws: ``StoreError`` if the schema cannot be read.
  package init?(
    from table: String,
    where conditions: [ColumnExpression],
    in session: StoreSession,
    and program: (RecordCompiler) -> RecordProgram?
  ) throws(StoreError) {
    guard var compiler = try session.recordCompiler(of: table), let program = program(compiler),
      let copy = try? compiler.copy([], where: conditions, and: [program]),
      let records = RecordSelection(copy, of: compiler.source)
    else { return nil }
    self.records = records
  }

  /// Reads the keys in a range, in ascending order, and returns those, if any, that are left because the program has
  /// no value for one of their rows.
  ///
  /// - Throws: Any error of the body.
  package func read(
    _ range: ClosedRange<Int64>,
    _ body: (Int64) throws -> Void
  ) rethrows -> ClosedRange<Int64>? {
    var next = range.lowerBound
    let isWhole = try records.rows(range) { key, _ in
      try body(key)
      next = key == .max ? key : key + 1
      return true
    }
    return isWhole || next > range.upperBound ? nil : next...range.upperBound
  }
}
