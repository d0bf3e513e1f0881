/// A row of a store whose record is longer than ``LargeValue/bound``.
package struct LargeRow: Hashable, Sendable {
  /// A text or a blob that is longer by itself.
  package struct Value: Hashable, Sendable {
    /// The name of its column.
    package let column: String
    /// Its bytes.
    package let bytes: Int64
    /// Whether it is a text.
    package let isText: Bool
  }

  /// The row's key.
  package let key: Int64
  /// The bytes of the record.
  package let bytes: Int64
  /// The large values, in the order of their columns.
  package let values: [Value]
}
