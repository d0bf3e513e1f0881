package import BulkStore

extension StoreSchema {
  /// The statements that make the tables of the model's objects, in the order of the file, with the
  /// columns and constraints that are taken over.
  package func tableStatements(_ carriage: Carriage, _ style: IndexStyle) -> [String] {
    let extra = Dictionary(grouping: carriage.columns, by: \.destinationTable)
    var result: [String] = []
    for table in entityTables {
      let columns = (extra[table.name] ?? []).map(\.column)
      let constraints = style.constraints[table.name] ?? []
      result.append(SchemaSQL.create(table.adding(columns, uniqueConstraints: constraints)))
      result += joinTables.filter { $0.owner.entity == table.root }.map { SchemaSQL.create($0) }
    }
    let roots = Set(entityTables.map(\.root))
    return result
      + joinTables.filter { !roots.contains($0.owner.entity) }.map { SchemaSQL.create($0) }
  }

  /// The rows of `Z_PRIMARYKEY`, by number, those of the persistent history and other strangers at the
  /// end.
  ///
  /// - Parameters:
  ///   - highestKey: The highest key that a table ever gave out.
  ///   - before: The rows before the migration.
  ///   - count: The most entities that any version before had.
  /// - Returns: The rows.
  package func primaryKeyEntries(
    _ highestKey: (EntityTable) throws -> Int64,
    before: [PrimaryKeyEntry],
    of count: Int
  ) rethrows -> [PrimaryKeyEntry] {
    let result = try primaryKeyEntries(highestKey)
    return result + before.filter { $0.number > Int64(count) && $0.number > Int64(result.count) }
  }
}

extension ObjectCarriage {
  /// Makes everything but triggers, what others stand on first.
  package func make(with writer: StoreWriter) throws(StoreError) {
    for kind in [FileObject.Kind.index, .view] {
      for entry in kept where entry.object.kind == kind { try writer.create(foreign: entry.sql) }
    }
    for entry in kept where entry.object.kind == .virtualTable {
      try writer.registerVirtualTable(entry.object)
    }
  }

  /// Makes the triggers; nothing may be written afterwards.
  package func makeTriggers(with writer: StoreWriter) throws(StoreError) {
    for entry in kept where entry.object.kind == .trigger { try writer.create(foreign: entry.sql) }
  }
}
