/// A column with the entity number of a to-one relationship's object, as a transfer reads it.
package struct StoredEntity: Hashable, Sendable {
  package let column: String
  /// The column with the object's key.
  package let keyColumn: String
  /// The table of the objects.
  package let target: String
  /// The numbers of entities to which the relationship may refer.
  package let expected: [Int64]
  /// The entity numbers of objects that the destination keeps.
  package let kept: [Int64]
}

extension ColumnExpression {
  /// The columns with entity numbers whose values the expression renumbers.
  package var storedEntities: [StoredEntity] {
    switch self {
    case .renumbered(
      .storedEntity(.column(let column), key: .column(let key), in: let target, let expected),
      let numbers
    ):
      [
        StoredEntity(
          column: column,
          keyColumn: key,
          target: target,
          expected: expected,
          kept: numbers.keys.sorted()
        )
      ]
    case .onlyIf(let value, _, _): value.storedEntities
    case .byEntity(let cases): cases.flatMap(\.value.storedEntities)
    default: []
    }
  }
}
