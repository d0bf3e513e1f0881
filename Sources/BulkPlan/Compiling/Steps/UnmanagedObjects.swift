package import BulkStore

/// The unmanaged indexes, triggers, views and virtual tables that a migration re-creates.
///
/// An index follows its columns to their new names. Any other object is re-created by its own statement,
/// unless that mentions a renamed or removed table or column, or does not compile in the destination.
package struct UnmanagedObjects: Sendable {
  package let kept: [StoreDefinition.Object]
  package private(set) var left: [Left]

  /// An object that is not re-created.
  package struct Left: Hashable, Sendable {
    package let object: FileObject
    /// As the end of a sentence.
    package let reason: String
  }

  init(
    _ layout: StoreLayout,
    to destination: StoreSchema,
    transfers: TransferSet,
    unmanagedTables: UnmanagedTables,
    _ style: IndexStyle
  ) {
    let moves = transfers.tableMoves
    let strangers = layout.unmanagedColumns.values.joined().map { $0.name.uppercased() }
    let lostColumns = layout.schema.columnNames.union(strangers)
      .subtracting(destination.columnNames)
      .subtracting(unmanagedTables.columns.map { $0.column.name.uppercased() })
    let lost = layout.schema.tableNames.union(lostColumns)
      .subtracting(destination.tableNames.union(destination.columnNames))
    let indexes = Set(destination.indexes.map(\.signature))
    let lostTables = Set(unmanagedTables.tablesLeftBehind.map(\.name))
    let triggers = destination.derivedAttributes.flatMap(\.triggers).map(\.name)
    let needed = destination.tableNames.union(
      (style.indexes.map(\.name) + triggers).map { $0.uppercased() }
    )
    var candidates: [StoreDefinition.Object] = []
    var (displaced, gone): ([Left], [Left]) = ([], [])
    for object in layout.unmanagedObjects {
      var sql: String?
      if let signature = object.signature, let move = moves[signature.table] {
        let moved = signature.moved(to: move.destination, columns: move.carriedColumns)
        if let moved, indexes.contains(moved) { continue }
        // A partial index or one on expressions does not move; all its names may still exist.
        sql =
          moved?.sql(named: object.name)
          ?? (moved == nil && lost.isDisjoint(with: object.words) ? object.sql : nil)
      } else if lost.isDisjoint(with: object.words), !lostTables.contains(object.table),
        lostColumns.isDisjoint(with: object.observedColumns)
      {
        sql = object.sql
      }
      if sql != nil, needed.contains(object.name.uppercased()) {
        displaced.append(Left(object: object, reason: "the destination's model needs its name"))
      } else if let sql {
        candidates.append(StoreDefinition.Object(object, sql: sql))
      } else {
        gone.append(
          Left(object: object, reason: "it refers to something that is gone or has another name")
        )
      }
    }
    let tables = StoreDefinition(destination, unmanagedTables, IndexStyle(destination))
    let trial = candidates.isEmpty ? nil : ForeignObjectTrial(on: tables)
    // The name of such a column may be that of a table.
    let faults = trial?.faults(of: candidates) { !lostColumns.isDisjoint(with: $0.words) } ?? [:]
    kept = candidates.filter { faults[$0.object] == nil }
    left =
      displaced + gone
      + candidates.compactMap { entry in
        faults[entry.object].map { Left(object: entry.object, reason: $0) }
      }
  }

  /// But for those of CloudKit's tables, which say so themselves.
  var reportedLeft: [Left] { left.filter { !MirroringTables.contains($0.object.table) } }

  /// Those of the second step, by its statements.
  package func followed(by next: UnmanagedObjects) -> UnmanagedObjects {
    var result = next
    result.left = left + next.left
    return result
  }
}

extension StoreSchema {
  /// In upper case.
  fileprivate var columnNames: Set<String> {
    let columns =
      entityTables.flatMap { $0.columns.map(\.name) } + joinTables.flatMap(\.columns)
    return Set(columns.map { $0.uppercased() })
  }
}

extension StoreDefinition.Object {
  package var isComputed: Bool {
    guard let signature = object.signature else { return false }
    return signature.condition != nil || signature.terms.contains { $0.column == nil }
  }
}

extension StoreDefinition {
  package init(
    _ destination: StoreSchema,
    _ unmanagedTables: UnmanagedTables,
    _ style: IndexStyle,
    objects: UnmanagedObjects? = nil,
    historyIndexes: [FileObject] = []
  ) {
    self.init(
      destination,
      indexes: style.indexes,
      constraints: style.constraints,
      addedColumns: Dictionary(grouping: unmanagedTables.columns, by: \.destinationTable)
        .mapValues { $0.map(\.column) },
      history: unmanagedTables.history,
      revision: unmanagedTables.revision,
      historyIndexes: historyIndexes,
      tables: unmanagedTables.tables,
      objects: objects?.kept ?? []
    )
  }
}
