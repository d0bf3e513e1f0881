/// What a column of a table or an index may hold, where its records are read without SQLite.
package struct TreeColumn: Sendable {
  /// The column's affinity.
  let affinity: ColumnAffinity
  /// The numbers that may occur beside NULL; `nil` where any may.
  let numbers: [Int64]?
  /// Whether the column is another name of the row id, whose records hold NULL there.
  let isRowID: Bool

  /// - Parameters:
  ///   - affinity: The column's affinity.
  ///   - numbers: The numbers that may occur, few; `nil` where any may.
  ///   - isRowID: Whether the column is another name of the row id.
  package init(_ affinity: ColumnAffinity, numbers: [Int64]? = nil, isRowID: Bool = false) {
    self.affinity = affinity
    self.numbers = numbers
    self.isRowID = isRowID
  }

  /// The classes of fields that SQLite would store as they are.
  var classes: [Statement.StorageClass] {
    if isRowID { return [.null] }
    return switch affinity {
    case .integer: [.null, .integer]
    case .text: [.null, .text]
    case .blob: [.null, .integer, .real, .text, .blob]
    case .real, .numeric: [.null, .integer, .real]
    }
  }
}
