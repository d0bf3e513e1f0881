internal import BulkSQLite

/// The changes that turn a copy of a store into the destination, without rewriting most of its
/// rows.
///
/// Core Data's own tables, views, triggers and unmanaged indexes are removed first, and made when
/// all rows have their final values, as in a rebuilt store.
package struct StoreChanges: Hashable, Sendable {
  /// The tables of objects and of pairs that stay.
  package let tables: [TableChange]
  package let removedTables: [String]
  /// The statements of tables that are new, and of columns that are new in the history's.
  package let newTables: [String]
  /// The indexes of the source that stay; their names stay too.
  package let keptIndexes: Set<String>
  package let newIndexes: [SchemaIndex]
  /// The removed objects apart from tables and their dependants.
  private let removedObjects: [FileObject]

  package init(
    tables: [TableChange],
    removedTables: [String],
    newTables: [String],
    keptIndexes: Set<String>,
    newIndexes: [SchemaIndex],
    removedObjects: [FileObject]
  ) {
    self.tables = tables
    self.removedTables = removedTables
    self.newTables = newTables
    self.keptIndexes = keptIndexes
    self.newIndexes = newIndexes
    self.removedObjects = removedObjects
  }

  package var removedIndexes: Set<String> {
    Set(removedObjects.filter { $0.kind == .index }.map(\.name))
  }

  /// The statements that change the schema, in their order; afterwards values are set and indexes are made.
  package var statements: [String] { statements(changing: tables) }

  private func statements(changing tables: [TableChange]) -> [String] {
    let triggers = removed(.trigger, "TRIGGER")
    let views = removed(.view, "VIEW")
    let indexes = removed(.index, "INDEX")
    let trees = removed(.virtualTable, "TABLE")
    let removed = (removedTables + Self.ownTables).map {
      "DROP TABLE IF EXISTS main.\(SQLText.quoted($0))"
    }
    let renames = tables.filter { $0.source.uppercased() != $0.destination.uppercased() }
      .map { TableChange.Rename($0.source, to: $0.destination) }
    return triggers + views + indexes + trees + removed
      + TableChange.Rename.inOrder(renames).map {
        "ALTER TABLE main.\(SQLText.quoted($0.before)) RENAME TO \(SQLText.quoted($0.after))"
      }
      + tables.flatMap(\.columnStatements) + newTables
  }

  /// The tables of Core Data itself, which are made again.
  package static let ownTables = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  /// Whether the schema only grows: names change, and empty columns and tables are added.
  package var onlyAdd: Bool {
    removedTables.isEmpty && removedObjects.isEmpty && newIndexes.isEmpty
      && tables.allSatisfy { !$0.readsRows }
  }

  private func removed(_ kind: FileObject.Kind, _ word: String) -> [String] {
    removedObjects.filter { $0.kind == kind }
      .map { "DROP \(word) IF EXISTS main.\(SQLText.quoted($0.name))" }
  }
}

extension StoreChanges {
  /// Why SQLite cannot change the tables of a store; `nil` if it can.
  ///
  /// It is tried in memory, without rows: views, unusual names and old statements may keep SQLite from it, which reads the
  /// whole schema again for every new column, so tables that only gain some are tried one by one.
  package func obstacle(in schema: FileSchema) -> String? {
    let growing = tables.filter { $0.onlyAdds && schema.table(named: $0.source) != nil }
    let names = Set(growing.map(\.destination))
    let indexes = Dictionary(grouping: newIndexes, by: \.table)
    do throws(StoreError) {
      let objects = schema.objects.filter { $0.kind != .virtualTable }
      try run(
        statements(changing: tables.filter { !names.contains($0.destination) })
          + newIndexes.filter { !names.contains($0.table) }.map(\.sql),
        after: schema.tables.map(\.sql) + objects.map(\.sql)
      )
      for table in growing {
        try run(
          table.columnStatements + (indexes[table.destination] ?? []).map(\.sql),
          after: schema.table(named: table.source).map { [$0.sql] } ?? []
        )
      }
      return nil
    } catch {
      return error.reason
    }
  }

  private func run(_ statements: [String], after foreign: [String]) throws(StoreError) {
    let connection = try StoreSession(inMemoryFor: "the schema in memory").connection
    for sql in foreign { try connection.execute(foreign: sql, .any) }
    for sql in statements { try connection.execute(sql) }
  }
}

extension PersistentStore {
  /// A session that changes the store itself, without a log; `nil` if it has changed since it was opened.
  ///
  /// No other process has the store open until the session ends. If the process ends before the commit, SQLite restores
  /// the store when it is opened the next time. See ``StoreSession/init(inPlace:caches:)`` for the restrictions on its
  /// file.
  package func sessionInPlace(
    _ caches: StoreSession.CacheSizes
  ) throws(StoreError) -> StoreSession? {
    guard isUnchangedForCertain else { return nil }
    let session = try StoreSession(inPlace: path, caches: caches)
    return hasSameAttributes ? session : nil
  }
}

extension StoreChanges {
  /// The table that keeps a store from being changed in its place; `nil` if there is none.
  ///
  /// Its values need more than its own rows. The session reads the store as `source`.
  package func obstacleInPlace(_ session: StoreSession) throws(StoreError) -> String? {
    for table in tables {
      if !table.followsFromRows { return table.source }
      if let sql = table.strayRowSQL, try session.value(sql) != nil { return table.source }
    }
    return nil
  }
}
