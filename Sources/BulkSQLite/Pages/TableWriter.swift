/// Writes the rows of one table as pages.
package final class TableWriter {
  let definition: TableInfo
  private let writer: PageWriter
  /// The index of each column of the table among the values of a row; `nil` where it is NULL.
  let valueIndexes: [Int32?]
  /// The place of the row id among the values of a row; `nil` if rows are numbered.
  let keyValueIndex: Int32?
  package let valueCount: Int
  package var getsAllRows = false
  private let affinities: [ColumnAffinity]
  private var builder: RecordBuilder?
  private var fill: TableFill?
  /// A bit for each column with a NULL in the rows so far.
  private var nulls: UInt64 = 0
  private static let rowsBetweenChecks: Int64 = 1 << 13
  private lazy var conversion = Result { () throws(SQLiteError) in try AffinityConversion() }

  /// A writer of rows with values for some of the columns; `nil` if the others are not NULL in such rows.
  ///
  /// The writer of the rows just before must not be used any more.
  init?(
    _ definition: TableInfo,
    _ columns: [String],
    _ writer: PageWriter,
    after former: TableWriter? = nil
  ) {
    var valueIndexes = [Int32?](repeating: nil, count: definition.columns.count)
    var keyValueIndex: Int32?
    for (valueIndex, name) in columns.enumerated() {
      let found = definition.columns.firstIndex { $0.name.uppercased() == name.uppercased() }
      guard let found else {
        guard name == "rowid", definition.key == nil, keyValueIndex == nil else { return nil }
        keyValueIndex = Int32(valueIndex)
        continue
      }
      guard valueIndexes[found] == nil else { return nil }
      valueIndexes[found] = Int32(valueIndex)
    }
    for (column, valueIndex) in zip(definition.columns, valueIndexes) where valueIndex == nil {
      if column.hasDefault { return nil }
    }
    if let key = definition.key {
      guard let valueIndex = valueIndexes[key] else { return nil }
      keyValueIndex = valueIndex
    }
    self.keyValueIndex = keyValueIndex
    self.definition = definition
    self.writer = writer
    self.valueIndexes = valueIndexes
    valueCount = columns.count
    affinities = definition.columns.map(\.affinity)
    if let former {
      (fill, nulls) = (former.fill, former.nulls)
      builder = former.builder.take()
    }
  }

  package var tableName: String { definition.name }

  /// The names of its indexes, which can all be built as pages.
  package var indexNames: [String] { definition.indexes.map(\.name) }

  var entries: IndexEntries? { fill?.entries }

  /// The table has all its rows.
  package func finish() {
    fill?.finish(nulls: nulls, writer.written)
  }

  func store() throws(SQLiteError) { try fill?.store() }

  /// The rows come in the order of their keys; throws if a key is not an integer or not unique.
  package func append(_ rows: borrowing Statement) throws(SQLiteError) -> Int64 {
    let fill = try openFill()
    var builder = try takeBuilder()
    var count: Int64 = 0
    while try rows.step() {
      let key = try key(rows, after: fill.lastKey)
      builder.begin()
      for index in valueIndexes.indices {
        guard let valueIndex = valueIndexes[index], index != definition.key else {
          builder.addNull()
          continue
        }
        try add(rows, valueIndex, affinities[index], to: &builder)
      }
      try fill.put(key, &builder)
      count += 1
    }
    nulls |= builder.nulls
    self.builder = consume builder
    return count
  }

  package func copier(
    _ copy: RecordCopy,
    of source: SourceTable,
    largestRecord: Int,
    finding targets: (any LinkTargets)? = nil
  ) throws(SQLiteError) -> RecordCopier? {
    _ = try writer.file()
    return RecordCopier(
      copy,
      of: source,
      to: self,
      largestRecord: largestRecord,
      finding: targets
    )
  }

  /// Writes the rows that are made from source rows with keys in a range, in the order of their keys; the ranges of a
  /// table ascend.
  ///
  /// `give` calls its second argument once with the given values, or not at all where no row is made. `made` gets the
  /// key of each source row and that of its row. `bySQL` makes the rows of keys whose records cannot be used, and returns
  /// their number; without it the writing ends there.
  package func append(
    _ copier: RecordCopier,
    _ range: ClosedRange<Int64>,
    give: ValueGiving? = nil,
    made: KeyNoting? = nil,
    bySQL: ((ClosedRange<Int64>) throws -> Int64)? = nil
  ) throws -> CopiedRows {
    let fill = try openFill(copying: copier.indexes)
    var builder = try takeBuilder()
    let cursor = copier.source.cursor
    var rows: CopiedRows = (0, 0, nil)
    var rowsRead: Int64 = 0
    var next = range.lowerBound
    do {
      try cursor.seek(range.lowerBound)
      while let row = try cursor.next(), row.key <= range.upperBound {
        // Leaves may be in another order than their keys.
        guard row.key >= next else { throw TreeDamage() }
        next = row.key
        if let give {
          try give(row.key) { try put(row, copier, $0, fill, &builder, made, &rows) }
        } else {
          try put(row, copier, [], fill, &builder, made, &rows)
        }
        if let remaining = rows.needingSQL {
          guard let bySQL else { break }
          rows.made += try bySQL(remaining)
          rows.needingSQL = nil
        }
        if row.key == range.upperBound { break }
        next = row.key + 1
        rowsRead += 1
        if rowsRead.isMultiple(of: Self.rowsBetweenChecks) { try stopIfRequested() }
      }
    } catch is TreeDamage {
      // SQLite continues, and reports the fault.
      rows.needingSQL = next...range.upperBound
      if let bySQL {
        rows.made += try bySQL(next...range.upperBound)
        rows.needingSQL = nil
      }
    }
    nulls |= builder.nulls
    self.builder = consume builder
    return rows
  }

  @inline(__always)
  private func put(
    _ row: TreeCursor.Row,
    _ copier: RecordCopier,
    _ given: [SQLiteValue],
    _ fill: TableFill,
    _ builder: inout RecordBuilder,
    _ made: KeyNoting?,
    _ rows: inout CopiedRows
  ) throws {
    switch try copier.build(row, &builder, given: given) {
    case .row:
      let key = copier.builtKey ?? (fill.lastKey ?? 0) &+ 1
      try fill.put(key, &builder)
      try made?(row.key, key)
      rows.made += 1
    case .leftOut: rows.leftOut += 1
    case .none: break
    case .needsSQL: rows.needingSQL = row.key...row.key
    }
  }

  /// Writes rows in the order of their keys; some values come from a statement, the others are given.
  ///
  /// The first value of the statement is the source key. The columns are by the indexes of the
  /// values of a row; `nil` where they are given. `give` calls its second argument once with the
  /// given values, or not at all where no row is made.
  package func append(
    _ rows: borrowing Statement,
    _ columns: [Int32?],
    give: ValueGiving
  ) throws -> Int64 {
    let fill = try openFill()
    var builder = try takeBuilder()
    var count: Int64 = 0
    while try rows.step() {
      try give(rows.int64(at: 0)) { values in
        guard let keyValueIndex, case .integer(let key) = values[Int(keyValueIndex)] else {
          throw wrongKey()
        }
        builder.begin()
        for index in valueIndexes.indices {
          guard let valueIndex = valueIndexes[index].map(Int.init), index != definition.key else {
            builder.addNull()
            continue
          }
          if let column = columns[valueIndex] {
            try add(rows, column, affinities[index], to: &builder)
          } else {
            try add(values[valueIndex], affinities[index], to: &builder)
          }
        }
        try fill.put(key, &builder)
        count += 1
      }
    }
    nulls |= builder.nulls
    self.builder = consume builder
    return count
  }

  private func stopIfRequested() throws(SQLiteError) {
    guard writer.isStopped() else { return }
    throw SQLiteError(.interrupted, message: "told to stop", path: writer.path)
  }

  package func append(_ values: [SQLiteValue]) throws(SQLiteError) {
    let fill = try openFill()
    var builder = try takeBuilder()
    for start in stride(from: 0, to: values.count, by: valueCount) {
      var key = (fill.lastKey ?? 0) &+ 1
      if let valueIndex = keyValueIndex {
        guard case .integer(let value) = values[start + Int(valueIndex)] else { throw wrongKey() }
        key = value
      }
      builder.begin()
      for index in valueIndexes.indices {
        guard let valueIndex = valueIndexes[index], index != definition.key else {
          builder.addNull()
          continue
        }
        try add(values[start + Int(valueIndex)], affinities[index], to: &builder)
      }
      try fill.put(key, &builder)
    }
    nulls |= builder.nulls
    self.builder = consume builder
  }

  private func takeBuilder() throws(SQLiteError) -> RecordBuilder {
    if let taken = builder.take() { return taken }
    // The former one was lost in an error, or is in use around this one.
    if fill?.lastKey != nil { nulls = .max }
    return RecordBuilder(affinities, try writer.file().layout)
  }

  private func openFill(copying indexes: [SourceIndex?] = []) throws(SQLiteError) -> TableFill {
    if let fill { return fill }
    let made = try TableFill(definition, writer, copying: getsAllRows ? indexes : [])
    fill = made
    return made
  }

  private func key(_ row: borrowing Statement, after last: Int64?) throws(SQLiteError) -> Int64 {
    guard let valueIndex = keyValueIndex else { return (last ?? 0) &+ 1 }
    guard row.storageClass(at: valueIndex) == .integer else { throw wrongKey() }
    return row.int64(at: valueIndex)
  }

  private func wrongKey() -> SQLiteError {
    SQLiteError(
      .mismatch,
      message: "a key of \(definition.name) is not an integer",
      path: writer.path
    )
  }

  @inline(__always)
  private func add(
    _ row: borrowing Statement,
    _ valueIndex: Int32,
    _ affinity: ColumnAffinity,
    to builder: inout RecordBuilder
  ) throws(SQLiteError) {
    switch row.storageClass(at: valueIndex) {
    case .null: builder.addNull()
    case .integer where affinity != .text: builder.add(row.int64(at: valueIndex))
    case .real where affinity != .text: builder.add(row.double(at: valueIndex))
    case .text where affinity == .text || affinity == .blob:
      builder.add(text: row.bytes(at: valueIndex))
    case .blob: builder.add(blob: row.bytes(at: valueIndex))
    case .integer, .real: try add(row.value(at: valueIndex), affinity, to: &builder)
    case .text:
      // Reading it as text converts it to UTF-8 in its place.
      let bytes = [UInt8](row.bytes(at: valueIndex))
      let converted = try conversion.get().value(.text(row.text(at: valueIndex)), as: affinity)
      if case .text = converted {
        bytes.withUnsafeBytes { builder.add(text: $0) }
      } else {
        try add(converted, affinity, to: &builder)
      }
    }
  }

  private func add(
    _ value: SQLiteValue,
    _ affinity: ColumnAffinity,
    to builder: inout RecordBuilder
  ) throws(SQLiteError) {
    if builder.add(value) { return }
    if case .streamed = value { preconditionFailure("a streamed value is not written as pages") }
    let converted = try conversion.get().value(value, as: affinity)
    if case .text(let text) = converted {
      builder.add(text: text)
    } else {
      try add(converted, affinity, to: &builder)
    }
  }
}

/// Gets the key of a source row, and calls its second argument once with the given values of its row, or not at all.
package typealias ValueGiving = (_ key: Int64, _ make: ([SQLiteValue]) throws -> Void) throws ->
  Void

package typealias KeyNoting = (_ source: Int64, _ key: Int64) throws -> Void

/// The number of rows that were made from those of a table, that of others which satisfy the conditions but not the
/// filter, and the source keys behind these whose rows cannot be made from records; `nil` if there are none.
package typealias CopiedRows = (made: Int64, leftOut: Int64, needingSQL: ClosedRange<Int64>?)
