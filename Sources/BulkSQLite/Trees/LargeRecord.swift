/// A record of a table that is longer than most.
package struct LargeRecord: Hashable, Sendable {
  /// A text or a blob of the record that is long by itself.
  package struct Value: Hashable, Sendable {
    /// The place of its column in the record, from 0.
    package let column: Int
    /// Its bytes.
    package let count: Int
    /// Whether it is a text.
    package let isText: Bool
  }

  /// The row id.
  package let key: Int64
  /// The bytes of the whole record.
  package let count: Int
  /// The values that are longer than the bound, in the order of their columns.
  package let values: [Value]
}
