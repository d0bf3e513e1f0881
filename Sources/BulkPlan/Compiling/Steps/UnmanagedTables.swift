internal import BulkMapping
internal import BulkModel
package import BulkStore

/// The unmanaged tables and columns that a migration keeps, and the persistent history.
package struct UnmanagedTables: Sendable {
  package typealias Added = (
    sourceTable: String, destinationTable: String, column: FileTable.Column
  )

  /// The columns to add to destination tables; renamed tables keep them.
  package private(set) var columns: [Added] = []
  package private(set) var tables: [FileTable]
  /// The tables that cannot be kept, because the destination's model has tables of these names.
  package private(set) var tablesLeftBehind: [FileTable]
  /// The tables of the persistent history, whose entity numbers follow the destination's.
  package private(set) var history: [FileTable] = []
  /// The columns that cannot be kept, because their table is removed or has a column of that name.
  package private(set) var columnsLeftBehind: [String] = []
  /// By the number of the source; only of entities that still exist.
  package private(set) var entityNumbers: [Int64: Int64] = [:]
  package private(set) var removedPairs: [PropertyKey] = []
  package private(set) var revision = HistoryRevision()
  /// Without the changes of the removed entity.
  private var keepsPartialHistory = false

  /// The unmanaged tables that a store with new objects keeps, as a whole.
  ///
  /// The history and CloudKit's tables describe objects that no longer exist (formats/migration.md
  /// 1.6), and columns belong to their rows; all stay behind.
  init(ofTablesIn layout: StoreLayout, to destination: StoreSchema) {
    let all = Self.tables(layout, destination)
    tables = all.kept.filter { !MirroringTables.contains($0.name) }
    tablesLeftBehind = all.left + all.kept.filter { MirroringTables.contains($0.name) }
    columnsLeftBehind =
      layout.unmanagedColumns.sorted { $0.key < $1.key }
      .flatMap { table, columns in columns.map { $0.title(in: table) } }
  }

  init(
    _ layout: StoreLayout,
    from source: StoreSchema,
    to destination: StoreSchema,
    by step: MigrationStep
  ) {
    let mapping = step.mapping
    keepsPartialHistory = step.keepsPartialHistory
    var tableNames: [String: String] = [:]
    for (_, from, to) in mapping.continuations(from: source.model, to: destination.model) {
      let number = source.numbering.number(of: from.name)
      entityNumbers[number] = destination.numbering.number(of: to.name)
      let table = source.table(of: from).name
      // When a hierarchy is split, the root's table keeps the unmanaged columns.
      if tableNames[table] == nil || from.superentityName == nil {
        tableNames[table] = destination.table(of: to).name
      }
    }
    let sorted = Self.columns(layout, destination: destination, tableNames: tableNames)
    columns = sorted.kept
    columnsLeftBehind = sorted.left
    (tables, tablesLeftBehind) = Self.tables(layout, destination)
    history = layout.historyTables
    removedPairs = Self.removedPairs(source.model, mapping)
    revision =
      changes.map { HistoryRevision($0, from: source, to: destination, mapping) }
      ?? HistoryRevision()
  }

  private static func removedPairs(
    _ model: ManagedObjectModel,
    _ mapping: MappingModel
  ) -> [PropertyKey] {
    let makers = Dictionary(
      grouping: mapping.entityMappings.filter { $0.destinationEntityName != nil },
      by: \.sourceEntityName
    )
    return model.entities.flatMap { entity in
      entity.relationships.filter { relationship in
        relationship.isToMany && model.inverse(of: relationship)?.relationship.isToMany == true
          && !model.hierarchy(from: entity).flatMap { makers[$0.name] ?? [] }.contains { maker in
            maker.relationshipMappings.contains {
              maker.relationship($0.name)?.continuedRelationship == relationship.name
            }
          }
      }.map { PropertyKey(entity.name, $0.name) }
    }
  }

  /// From the store before the first step to that after the second.
  package func followed(by next: UnmanagedTables) -> UnmanagedTables {
    var result = self
    result.columns = next.columns.compactMap { later in
      columns.first {
        $0.destinationTable == later.sourceTable && $0.column.name == later.column.name
      }.map { ($0.sourceTable, later.destinationTable, $0.column) }
    }
    let lost = Set(next.tablesLeftBehind.map(\.name))
    result.tables = tables.filter { !lost.contains($0.name) }
    result.tablesLeftBehind += tables.filter { lost.contains($0.name) }
    if next.history.isEmpty { result.history = [] }
    result.columnsLeftBehind += next.columnsLeftBehind
    result.entityNumbers = entityNumbers.compactMapValues { next.entityNumbers[$0] }
    result.removedPairs += next.removedPairs
    result.revision = revision.followed(by: next.revision, next.entityNumbers)
    return result
  }

  /// By destination table; where a hierarchy is split, only one of its tables has them.
  var columnNames: [String: [String]] {
    Dictionary(grouping: columns, by: \.destinationTable).mapValues { $0.map(\.column.name) }
  }

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
  ) -> (kept: [Added], left: [String]) {
    var kept: [Added] = []
    var left: [String] = []
    for (table, extra) in layout.unmanagedColumns.sorted(by: { $0.key < $1.key }) {
      let target = tableNames[table].flatMap { destination.entityTable(named: $0) }
      let taken = Set(target?.columns.map { $0.name.uppercased() } ?? [])
      for column in extra {
        if let target, !taken.contains(column.name.uppercased()) {
          kept.append((table, target.name, column))
        } else {
          left.append(column.title(in: table))
        }
      }
    }
    return (kept, left)
  }
}

extension UnmanagedTables {
  /// If it is as Core Data makes it.
  private var changes: FileTable? {
    history.first { table in
      table.name == AncillaryColumn.history.table && table.rowIDColumn == "Z_PK"
        && ["ZCHANGETYPE", "ZENTITY", "ZTRANSACTIONID", "ZCOLUMNS"].allSatisfy {
          table.column(named: $0) != nil
        }
    }
  }

  /// The history is cut at the last change of a removed entity, as Core Data does (formats/migration.md 5.1).
  ///
  /// Tables that stay as they are have no change.
  package func ancillaryChanges(
    from source: StoreSchema,
    of store: PersistentStore
  ) throws(StoreError) -> [AncillaryChange] {
    let kept = entityNumbers.keys.sorted()
    let removed = Set(source.numbering.entities.indices.map { Int64($0 + 1) }).subtracting(kept)
    let isCut = changes != nil && !keepsPartialHistory && !removed.isEmpty
    let cut = isCut ? try store.lastTransaction(changing: removed.sorted()) : nil
    let keys = ["ACHANGE": "ZTRANSACTIONID", "ATRANSACTION": "Z_PK"]
    return (history + tables).compactMap { table in
      var conditions: [ColumnExpression] = []
      if let numbered = AncillaryColumn(of: table) {
        conditions.append(.isIn(numbered.column, kept))
      } else if table.name == MirroringTables.relationships, !removedPairs.isEmpty {
        conditions.append(.none([[MirroringTables.are(removedPairs)]]))
      }
      let key = keys[table.name].flatMap { table.column(named: $0)?.name }
      if let cut, let key { conditions.append(.isLess(.number(cut), than: .column(key))) }
      guard !conditions.isEmpty || history.contains(table) else { return nil }
      return AncillaryChange(
        to: table,
        keeping: conditions,
        after: key == nil ? nil : cut,
        entityNumbers,
        table == changes ? revision : HistoryRevision()
      )
    }
  }
}

extension HistoryRevision {
  /// The changes that an inferred step makes to rows of the history.
  ///
  /// Bits and tombstones follow the names of properties, so those of a renamed one are dropped
  /// (formats/migration.md 5.2, 5.5).
  init(
    _ changes: FileTable,
    from source: StoreSchema,
    to destination: StoreSchema,
    _ mapping: MappingModel
  ) {
    self.init()
    let columns = (0...).prefix { changes.column(named: Self.tombstone($0)) != nil }.count
    let needed = destination.mostTombstones
    let surplus =
      min(needed, columns)..<max(min(source.mostTombstones, columns), min(needed, columns))
    addedTombstones = Array(columns..<max(columns, needed))
    for (_, before, after) in mapping.continuations(from: source.model, to: destination.model) {
      let number = destination.numbering.number(of: after.name)
      let former = source.historyBits(of: before)
      let bits = destination.historyBits(of: after)
      if bits != former {
        masks[number] = Mask(bits: former.count, indexes: bits.map { former.firstIndex(of: $0) })
      }
      let kept = Array(source.model.tombstones(of: before).prefix(columns))
      let wanted = destination.model.tombstones(of: after)
      let indexes = (0..<max(columns, needed)).map { column in
        if column < wanted.count { return kept.firstIndex(of: wanted[column]) }
        return surplus.contains(column) ? nil : column
      }
      if indexes != Array(indexes.indices) { tombstones[number] = indexes }
    }
  }
}

extension StoreSchema {
  fileprivate var mostTombstones: Int {
    model.entities.map { model.tombstones(of: $0).count }.max() ?? 0
  }
}
