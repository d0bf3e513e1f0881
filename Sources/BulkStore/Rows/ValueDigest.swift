internal import BulkSQLite

/// What identifies a list of values among all others in this process: 128 bits, with a key that no store can
/// know, so that not even chosen values agree in them.
///
/// Values agree as in a unique index: numbers by what they are worth, texts byte by byte. Nil agrees with nil.
package struct ValueDigest: Hashable, Sendable {
  /// The first half.
  package let first: UInt64
  /// The second half.
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
}
