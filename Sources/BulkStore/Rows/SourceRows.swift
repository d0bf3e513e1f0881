package import BulkSQLite

/// Reads source rows with values computed from them, in ranges of their keys.
///
/// A large binary value that is only copied is not read: it is returned as ``SQLiteValue/streamed(_:)``.
package final class SourceRows {
  package typealias Value = SQLiteValue

  private let connection: Connection
  let statement: Statement
  let count: Int32
  private let table: String
  /// The values that may be large, and the columns of the statement that show whether they are.
  private let large: [(value: Int, column: Int32)]

  /// Large values that are only copied may stay in the source until their row is written.
  package init(
    of rows: RowTransfer,
    values: [ColumnExpression],
    streamsLargeValues: Bool = false,
    _ session: StoreSession
  ) throws(StoreError) {
    let found = values.map { streamsLargeValues ? $0.largeColumnSQL : nil }
    let list = zip(values, found).map { value, large in
      large.map { "CASE WHEN \($0) IS NULL THEN \(value.sql) END" } ?? value.sql
    }
    let all = ["s.rowid"] + list + found.compactMap(\.self)
    statement = try session.prepare("SELECT \(all.joined(separator: ", ")) \(rows.rowsSQL)")
    connection = session.connection
    table = rows.source
    count = Int32(values.count)
    let locations = found.indices.filter { found[$0] != nil }
    large = locations.enumerated().map { ($1, Int32(values.count + 1 + $0)) }
  }

  package func start(_ range: ClosedRange<Int64>) throws(StoreError) {
    statement.reset()
    try statement.bind(range)
  }

  /// `nil` after the last row of the range.
  package func next() throws(StoreError) -> (key: Int64, values: [SQLiteValue])? {
    guard try statement.step() else { return nil }
    let key = statement.int64(at: 0)
    var values: [SQLiteValue] = []
    values.reserveCapacity(Int(count))
    for column in 1..<count + 1 { values.append(statement.value(at: column)) }
    for (value, column) in large where statement.storageClass(at: column) == .text {
      values[value] = .streamed(try streamed(statement.text(at: column), key))
    }
    return (key, values)
  }

  package func skip() throws(StoreError) -> Bool { try statement.step() }

  /// The value that a sign and a column name denote.
  private func streamed(_ text: String, _ key: Int64) throws(StoreError) -> StreamedValue {
    let location = BlobHandle.Location(
      schema: "source",
      table: table,
      column: String(text.dropFirst()),
      key: key
    )
    let first = ColumnExpression.FirstByte(rawValue: String(text.prefix(1)))
    let value = try connection.beginning(ofValueAt: location)
    return StreamedValue(
      location,
      count: value.count,
      skipping: first == .unprefixed && value.firstByte == 1 ? 1 : 0,
      after: first == .prefixed ? [1] : []
    )
  }
}

/// A 128-bit digest of a list of values, with a secret key of this process, so that even chosen
/// values do not collide.
///
/// Values agree as in a unique index: numbers by value, texts byte by byte. Nil agrees with nil.
package struct GroupDigest: Hashable, Sendable {
  package let first: UInt64
  package let second: UInt64
  package let hasNil: Bool

  package init(of values: [SourceRows.Value]) {
    var (one, other) = (Hasher(), Hasher())
    other.combine(1 as UInt8)
    for value in values {
      value.hashBytes(into: &one)
      value.hashBytes(into: &other)
    }
    first = UInt64(bitPattern: Int64(one.finalize()))
    second = UInt64(bitPattern: Int64(other.finalize()))
    hasNil = values.contains(.null)
  }

  init(of row: borrowing Statement, _ columns: Range<Int32>) {
    var (one, other) = (Hasher(), Hasher())
    other.combine(1 as UInt8)
    var hasNil = false
    for column in columns where row.hashValue(at: column, into: &one, &other) { hasNil = true }
    first = UInt64(bitPattern: Int64(one.finalize()))
    second = UInt64(bitPattern: Int64(other.finalize()))
    self.hasNil = hasNil
  }
}

extension SourceRows {
  /// `nil` after the last row of the range.
  package func nextDigest() throws(StoreError) -> (key: Int64, digest: GroupDigest)? {
    guard try statement.step() else { return nil }
    return (statement.int64(at: 0), GroupDigest(of: statement, 1..<count + 1))
  }
}
