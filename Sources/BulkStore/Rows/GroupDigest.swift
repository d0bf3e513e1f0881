internal import BulkSQLite

/// A 128-bit digest of a list of values, with a secret key of this process, so that even chosen
/// values do not collide.
///
/// Values agree as in a unique index: numbers by value, texts byte by byte. Nil agrees with nil.
package struct GroupDigest: Hashable, Sendable {
  package let first: UInt64
  package let second: UInt64
  /// Whether one of the values is nil.
  package let hasNil: Bool

  /// The digest of values, in their order.
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

  /// The digest of columns of a row, in their order.
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
  /// The next row: its key and the digest of its values; `nil` after the last row of the range.
  package func nextDigest() throws(StoreError) -> (key: Int64, digest: GroupDigest)? {
    guard try statement.step() else { return nil }
    return (statement.int64(at: 0), GroupDigest(of: statement, 1..<count + 1))
  }
}
