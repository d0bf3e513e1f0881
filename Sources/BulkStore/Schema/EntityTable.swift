/// The table of a root entity, which holds the rows of all entities that inherit from it.
package struct EntityTable: Hashable, Sendable {
  /// The root entity's name.
  package let root: String
  /// The table's name.
  package let name: String
  /// The columns in the order of the table.
  package internal(set) var columns: [SchemaColumn]
  /// The columns of each uniqueness constraint in the table's statement, as Core Data once wrote them; a
  /// schema derived from a model alone has indexes instead.
  package internal(set) var uniqueConstraints: [[String]] = []

  /// The column of a role, if the table has it.
  package func column(_ role: SchemaColumn.Role) -> SchemaColumn? {
    columns.first { $0.role == role }
  }

  /// The same table with unmanaged columns at its end, and with uniqueness constraints in its statement.
  package func adding(
    _ columns: [FileTable.Column],
    uniqueConstraints: [[String]]
  ) -> EntityTable {
    var result = self
    result.columns += columns.map {
      SchemaColumn($0.name, SchemaSQL.type($0.declaredType), .unmanaged)
    }
    result.uniqueConstraints = uniqueConstraints
    return result
  }
}
