internal import BulkModel
package import BulkSQLite

/// Columns of a destination row with the values that SQL computed for them.
package struct MappedColumns: Sendable {
  package final class Slots: Sendable {
    fileprivate struct Slot: Sendable {
      let value: Int
      let column: Int
    }

    fileprivate let names: [String]
    fileprivate let shape: EntityRowShape
    fileprivate let attributes: [Slot]
    fileprivate let relationships: [Slot]

    /// The positions of columns in rows of a shape; unknown names have none, nor those that it does not use where only
    /// used ones count.
    ///
    /// Key, entity and version, which every row is given, must not be among them.
    package init(_ names: [String], in shape: EntityRowShape, onlyUsed: Bool = false) {
      let attributes = Set(shape.attributes.values.map(\.index))
      let indexes = Dictionary(firstOf: zip(shape.columns, shape.columns.indices))
      let slots = names.enumerated().compactMap { value, name in
        onlyUsed && !shape.usedColumns.contains(name)
          ? nil : indexes[name].map { Slot(value: value, column: $0) }
      }
      self.names = names
      self.shape = shape
      self.attributes = slots.filter { attributes.contains($0.column) }
      relationships = slots.filter { !attributes.contains($0.column) }
    }
  }

  private let slots: Slots
  private let values: [SQLiteValue]

  /// In the order of the names from which ``Slots`` was made.
  package init(_ slots: Slots, _ values: [SQLiteValue]) {
    self.slots = slots
    self.values = values
  }

  package func fillAttributes(of row: inout EntityRow) {
    guard !values.isEmpty else { return }
    for slot in slots(in: row.shape).attributes { row.values[slot.column] = values[slot.value] }
  }

  /// Puts the other values into a row, without those of some to-one relationships.
  package func fillRelationships(of row: inout EntityRow, except names: [String]) {
    guard !values.isEmpty, !slots.relationships.isEmpty else { return }
    let taken = names.compactMap { row.shape.partners[$0] }
    for slot in slots(in: row.shape).relationships
    where !taken.contains(where: { $0.key == slot.column || $0.entity == slot.column }) {
      row.values[slot.column] = values[slot.value]
    }
  }

  package var contentBytes: Int { values.reduce(0) { $0 + $1.contentBytes } }

  /// The positions in rows of a shape, which may be that of another entity than expected.
  private func slots(in shape: EntityRowShape) -> Slots {
    shape === slots.shape || shape.entity.name == slots.shape.entity.name
      ? slots : Slots(slots.names, in: shape, onlyUsed: true)
  }
}
