/// The table of a root entity, which holds the rows of all entities that inherit from it.
package struct EntityTable: Hashable, Sendable {
  /// The root entity's name.
  package let root: String
  /// The table's name.
  package let name: String
  /// The columns in the order of the table.
  package internal(set) var columns: [SchemaColumn]

  /// The column of a role, if the table has it.
  package func column(_ role: SchemaColumn.Role) -> SchemaColumn? {
    columns.first { $0.role == role }
  }

  /// The same table with columns at its end that no model explains.
  package func adding(_ columns: [FileTable.Column]) -> EntityTable {
    var result = self
    result.columns += columns.map { SchemaColumn($0.name, $0.declaredType, .unexplained) }
    return result
  }
}
