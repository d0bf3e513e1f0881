internal import BulkMapping
internal import BulkModel
package import BulkStore

/// The unmanaged tables and columns that a migration keeps, and the persistent history.
package struct UnmanagedTables: Sendable {
  /// The columns to add to destination tables, by source table; renamed tables keep them.
  package let columns: [(sourceTable: String, destinationTable: String, column: FileTable.Column)]
  /// The tables to copy as they are.
  package let tables: [FileTable]
  /// The tables that cannot be kept, because the destination's model has tables of these names.
  package let tablesLeftBehind: [FileTable]
  /// The tables of the persistent history, whose entity numbers follow the destination's.
  package let history: [FileTable]
  /// The columns that cannot be kept, because their table is removed or has a column of that name.
  package let columnsLeftBehind: [String]
  /// The destination's number of every source entity that still exists.
  package let entityNumbers: [Int64: Int64]
  /// The many-to-many relationships that are removed, whose mirrored pairs go.
  package let removedPairs: [PropertyKey]

  /// What a store with new objects keeps: whole tables.
  ///
  /// The history and what is mirrored with CloudKit describe objects that no longer exist (core-data-migrator.md 1.6),
  /// and columns belong to their rows; all stay behind.
  init(ofTablesIn layout: StoreLayout, to destination: StoreSchema) {
    columns = []
    let all = Self.tables(layout, destination)
    tables = all.kept.filter { !MirroringTables.contains($0.name) }
    tablesLeftBehind = all.left + all.kept.filter { MirroringTables.contains($0.name) }
    history = []
    removedPairs = []
    columnsLeftBehind =
      layout.unmanagedColumns.sorted { $0.key < $1.key }
      .flatMap { table, columns in columns.map { "column \(table).\($0.name)" } }
    entityNumbers = [:]
  }

  init(
    _ layout: StoreLayout,
    from source: StoreSchema,
    to destination: StoreSchema,
    mapping: MappingModel
  ) {
    var tableNames: [String: String] = [:]
    var numbers: [Int64: Int64] = [:]
    for entityMapping in mapping.entityMappings {
      guard
        let from = entityMapping.sourceEntityName.flatMap({ source.model.entity(named: $0) }),
        let to = entityMapping.destinationEntityName.flatMap({ destination.model.entity(named: $0) }
        )
      else { continue }
      numbers[source.numbering.number(of: from.name)] = destination.numbering.number(of: to.name)
      let table = source.table(of: from).name
      // When a hierarchy is split, the root's table keeps the unmanaged columns.
      if tableNames[table] == nil || from.superentityName == nil {
        tableNames[table] = destination.table(of: to).name
      }
    }
    entityNumbers = numbers
    let sorted = Self.columns(layout, destination: destination, tableNames: tableNames)
    columns = sorted.kept
    columnsLeftBehind = sorted.left
    (tables, tablesLeftBehind) = Self.tables(layout, destination)
    history = layout.historyTables
    removedPairs = Self.removedPairs(source.model, mapping)
  }

  /// The many-to-many relationships that no entity mapping continues.
  private static func removedPairs(
    _ model: ManagedObjectModel,
    _ mapping: MappingModel
  ) -> [PropertyKey] {
    model.entities.flatMap { entity in
      let heirs = Set(model.hierarchy(from: entity).map(\.name))
      let makers = mapping.entityMappings.filter {
        heirs.contains($0.sourceEntityName ?? "") && $0.destinationEntityName != nil
      }
      return entity.relationships.filter { relationship in
        relationship.isToMany && model.inverse(of: relationship)?.relationship.isToMany == true
          && !makers.contains { maker in
            maker.relationshipMappings.contains {
              maker.relationship($0.name)?.continuedRelationship == relationship.name
            }
          }
      }.map { PropertyKey(entity.name, $0.name) }
    }
  }

  /// The tables and columns that two steps keep, from the store before the first to that after the second.
  package func followed(by next: UnmanagedTables) -> UnmanagedTables {
    let columns = next.columns.compactMap { later in
      self.columns.first {
        $0.destinationTable == later.sourceTable && $0.column.name == later.column.name
      }.map { ($0.sourceTable, later.destinationTable, $0.column) }
    }
    let lost = Set(next.tablesLeftBehind.map(\.name))
    return UnmanagedTables(
      columns: columns,
      tables: tables.filter { !lost.contains($0.name) },
      tablesLeftBehind: tablesLeftBehind + tables.filter { lost.contains($0.name) },
      history: next.history.isEmpty ? [] : history,
      columnsLeftBehind: columnsLeftBehind + next.columnsLeftBehind,
      entityNumbers: entityNumbers.compactMapValues { next.entityNumbers[$0] },
      removedPairs: removedPairs + next.removedPairs
    )
  }

  private init(
    columns: [(sourceTable: String, destinationTable: String, column: FileTable.Column)],
    tables: [FileTable],
    tablesLeftBehind: [FileTable],
    history: [FileTable],
    columnsLeftBehind: [String],
    entityNumbers: [Int64: Int64],
    removedPairs: [PropertyKey]
  ) {
    self.removedPairs = removedPairs
    self.columns = columns
    self.tables = tables
    self.tablesLeftBehind = tablesLeftBehind
    self.history = history
    self.columnsLeftBehind = columnsLeftBehind
    self.entityNumbers = entityNumbers
  }

  /// The names of the columns, by destination table; where a hierarchy is split, only one of its tables has them.
  package var columnNames: [String: [String]] {
    Dictionary(grouping: columns, by: \.destinationTable).mapValues { $0.map(\.column.name) }
  }

  /// The unmanaged tables that are kept, and those whose names the destination's model needs.
  private static func tables(
    _ layout: StoreLayout,
    _ destination: StoreSchema
  ) -> (kept: [FileTable], left: [FileTable]) {
    let needed = destination.tableNames
    return (
      layout.unmanagedTables.filter { !needed.contains($0.name.uppercased()) },
      layout.unmanagedTables.filter { needed.contains($0.name.uppercased()) }
    )
  }

  private static func columns(
    _ layout: StoreLayout,
    destination: StoreSchema,
    tableNames: [String: String]
  ) -> (
    kept: [(sourceTable: String, destinationTable: String, column: FileTable.Column)],
    left: [String]
  ) {
    var kept: [(sourceTable: String, destinationTable: String, column: FileTable.Column)] = []
    var left: [String] = []
    for (table, extra) in layout.unmanagedColumns.sorted(by: { $0.key < $1.key }) {
      let target = tableNames[table].flatMap { name in
        destination.entityTables.first { $0.name == name }
      }
      let taken = Set(target?.columns.map { $0.name.uppercased() } ?? [])
      for column in extra {
        if let target, !taken.contains(column.name.uppercased()) {
          kept.append((table, target.name, column))
        } else {
          left.append("column \(table).\(column.name)")
        }
      }
    }
    return (kept, left)
  }
}

extension StoreSchema {
  /// The names of the tables of the model, in upper case, since SQLite ignores case.
  var tableNames: Set<String> {
    Set((entityTables.map(\.name) + joinTables.map(\.name)).map { $0.uppercased() })
  }
}
