/// A trigger of a store.
package struct SchemaTrigger: Hashable, Sendable {
  /// The trigger's name.
  package let name: String
  /// The statement that makes it, as Core Data writes it.
  package let sql: String

  /// A trigger that runs a body after an event.
  init(_ name: String, after event: String, on table: String, when: String? = nil, do body: String)
  {
    self.name = name
    let condition = when.map { " WHEN (\($0))" } ?? ""
    sql =
      "CREATE TRIGGER \(SchemaSQL.name(name)) AFTER \(event) ON \(SchemaSQL.name(table)) "
      + "FOR EACH ROW\(condition) BEGIN \(body) END"
  }
}
