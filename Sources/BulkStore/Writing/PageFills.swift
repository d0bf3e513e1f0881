/// The rows of a store that may be written as pages, and the indexes that are built with them.
package struct PageFills: Sendable {
  /// The rows that tables will get, in their order.
  package let rows: [RowFill]
  /// The indexes of tables that get all rows in one series, over columns that do not change afterwards.
  package let indexes: [SchemaIndex]

  package init(_ rows: [RowFill], indexes: [SchemaIndex]) {
    self.rows = rows
    self.indexes = indexes
  }

  /// None that are known before.
  package static let unknown = PageFills([], indexes: [])
}
