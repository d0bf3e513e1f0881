/// The columns that decide which objects of a store satisfy the rules of its model: keys, and the
/// columns that rules and uniqueness constraints refer to.
package struct RuledColumns: Sendable {
  /// The columns by entity table; a table that is not listed has all of its columns.
  private let columns: [String: Set<String>]

  /// The columns of a store with some indexes; of whole tables every column counts.
  package init(_ schema: StoreSchema, _ indexes: [SchemaIndex], whole: Set<String> = []) {
    var columns: [String: Set<String>] = [:]
    for table in schema.entityTables where !whole.contains(table.name) {
      let unique = indexes.filter { $0.isUnique && $0.table == table.name }
      // The columns of a condition are not known here.
      if unique.contains(where: { $0.condition != nil }) { continue }
      columns[table.name] = Set(table.columns.filter(\.isOfLinks).map(\.name))
        .union(ValidationRules(table, of: schema).rules.compactMap(\.column))
        .union(unique.flatMap { $0.terms.map(\.column) })
    }
    self.columns = columns
  }

  /// Whether a column of a table counts.
  package func contain(_ column: String, of table: String) -> Bool {
    columns[table]?.contains(column) ?? true
  }

  /// Whether all columns of an index count.
  package func contain(_ index: SchemaIndex) -> Bool {
    index.condition == nil && index.terms.allSatisfy { contain($0.column, of: index.table) }
  }
}

extension SchemaColumn {
  /// Whether it identifies the object of a row, or those to which it leads.
  fileprivate var isOfLinks: Bool {
    switch role {
    case .primaryKey, .entity, .foreignKey, .foreignEntity, .hiddenForeignKey: true
    case .version, .attribute, .orderKey, .hiddenOrderKey, .unmanaged: false
    }
  }
}
