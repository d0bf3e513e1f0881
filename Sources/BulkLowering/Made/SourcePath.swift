package import BulkModel
package import BulkStore

/// A path of to-one relationships from a source entity to an attribute.
package struct SourcePath: Sendable {
  /// The attribute at the end.
  package let attribute: AttributeDescription
  /// Its column's value, in SQL over a row of the entity.
  package let value: ColumnExpression

  /// The path in a text; `nil` where it does not end at a stored attribute.
  package init?(_ path: String, from entity: EntityDescription, in schema: StoreSchema) {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let found = InputLowering(schema).attribute(names, element: [], from: entity) else {
      return nil
    }
    attribute = found.attribute
    value = found.expression
  }
}
