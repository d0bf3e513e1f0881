package import BulkSQLite

/// Columns of a destination row with the values that SQL gave for them.
package struct MappedColumns: Sendable {
  /// Which columns are meant.
  package enum Part: Sendable {
    /// Those of attributes.
    case attributes
    /// All others but key, entity and version, without those of some to-one relationships.
    case relationships(besides: Set<String>)
  }

  private let names: [String]
  private let values: [SQLiteValue]

  /// Columns and their values, at the same places.
  package init(_ names: [String], _ values: [SQLiteValue]) {
    self.names = names
    self.values = values
  }

  /// Puts the values of a part into a row.
  package func fill(_ row: inout EntityRow, _ part: Part) {
    for (name, value) in zip(names, values) {
      guard let index = row.shape.columns.firstIndex(of: name), index > 2 else { continue }
      let isAttribute = row.shape.attributes.values.contains { $0.index == index }
      switch part {
      case .attributes: if isAttribute { row.values[index] = value }
      case .relationships(let besides):
        let isTaken = besides.contains { relationship in
          guard let columns = row.shape.partners[relationship] else { return false }
          return columns.key == index || columns.entity == index
        }
        if !isAttribute, !isTaken { row.values[index] = value }
      }
    }
  }
}
