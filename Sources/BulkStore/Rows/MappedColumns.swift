internal import BulkModel
package import BulkSQLite

/// Columns of a destination row with the values that SQL computed for them.
package struct MappedColumns: Sendable {
  package final class Places: Sendable {
    fileprivate struct Place: Sendable {
      let value: Int
      let column: Int
    }

    fileprivate let names: [String]
    fileprivate let shape: EntityRowShape
    fileprivate let attributes: [Place]
    fileprivate let relationships: [Place]

    /// The positions of columns in rows of a shape; unknown names have none, nor those that it does not use where only
    /// used ones count.
    ///
    /// Key, entity and version, which every row is given, must not be among them.
    package init(_ names: [String], in shape: EntityRowShape, onlyUsed: Bool = false) {
      let attributes = Set(shape.attributes.values.map(\.index))
      let indexes = Dictionary(firstOf: zip(shape.columns, shape.columns.indices))
      let places = names.enumerated().compactMap { value, name in
        onlyUsed && !shape.usedColumns.contains(name)
          ? nil : indexes[name].map { Place(value: value, column: $0) }
      }
      self.names = names
      self.shape = shape
      self.attributes = places.filter { attributes.contains($0.column) }
      relationships = places.filter { !attributes.contains($0.column) }
    }
  }

  private let places: Places
  private let values: [SQLiteValue]

  /// In the order of the names from which ``Places`` was made.
  package init(_ places: Places, _ values: [SQLiteValue]) {
    self.places = places
    self.values = values
  }

  package func fillAttributes(of row: inout EntityRow) {
    guard !values.isEmpty else { return }
    for place in places(in: row.shape).attributes { row.values[place.column] = values[place.value] }
  }

  /// Puts the other values into a row, without those of some to-one relationships.
  package func fillRelationships(of row: inout EntityRow, besides names: [String]) {
    guard !values.isEmpty, !places.relationships.isEmpty else { return }
    let taken = names.compactMap { row.shape.partners[$0] }
    for place in places(in: row.shape).relationships
    where !taken.contains(where: { $0.key == place.column || $0.entity == place.column }) {
      row.values[place.column] = values[place.value]
    }
  }

  package var contentBytes: Int { values.reduce(0) { $0 + $1.contentBytes } }

  /// The positions in rows of a shape, which may be that of another entity than expected.
  private func places(in shape: EntityRowShape) -> Places {
    shape === places.shape || shape.entity.name == places.shape.entity.name
      ? places : Places(places.names, in: shape, onlyUsed: true)
  }
}
