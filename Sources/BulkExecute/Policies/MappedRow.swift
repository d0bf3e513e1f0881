internal import BulkStore

/// What an entity mapping determines for the current source object.
struct MappedRow {
  /// The key of the source object.
  let sourceKey: Int64
  /// The key of the first object made from it.
  let keptKey: Int64
  /// The columns that SQL computed, with their values.
  let columns: MappedColumns
  /// The page with the attributes that had to be evaluated; `nil` if there are none.
  let page: EvaluatedPage?
  /// The index of the row in its page.
  let index: Int
  /// Calls a function of the mapping's policy.
  let answer: EvaluatedPage.PolicyAnswer
  /// Whether an object was inserted for it.
  var hasInserted = false
  /// Its outcome so far.
  var outcome = RowTally.Outcome.nothing

  /// Sets the attributes of a row that the mapping describes.
  func fillAttributes(of row: inout EntityRow) throws {
    columns.fillAttributes(of: &row)
    try page?.fill(&row, from: index, answer)
  }

  /// Sets the relationships of a row that the mapping describes and that are known by now.
  func fillRelationships(of row: inout EntityRow, besides names: Set<String>) {
    columns.fillRelationships(of: &row, besides: names)
  }
}
