internal import BulkModel
internal import BulkStore

/// What an entity mapping says of the source object whose turn it is.
struct MappedRow {
  /// The key of the source object.
  let sourceKey: Int64
  /// The key that the first object made of it gets.
  let keptKey: Int64
  /// The columns that SQL gave, with their values.
  let columns: MappedColumns
  /// The attributes that had to be evaluated, by name.
  let evaluated: () throws -> [(name: String, value: AttributeValue)]
  /// Whether an object was inserted for it.
  var hasInserted = false
  /// What it has become so far.
  var outcome = RowTally.Outcome.nothing

  /// Gives a row the attributes that the mapping describes.
  func fillAttributes(of row: inout EntityRow) throws {
    columns.fillAttributes(of: &row)
    for (name, value) in try evaluated() { _ = row.set(value, for: name) }
  }

  /// Gives a row the relationships that the mapping describes and that are known by now.
  func fillRelationships(of row: inout EntityRow, besides names: Set<String>) {
    columns.fillRelationships(of: &row, besides: names)
  }
}
