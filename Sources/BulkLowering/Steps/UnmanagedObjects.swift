package import BulkStore

/// The unmanaged indexes, triggers, views and virtual tables that a migration re-creates.
///
/// An index follows its columns to their new names. Any other object is re-created by its own statement,
/// unless that mentions a renamed or removed table or column.
package struct UnmanagedObjects: Sendable {
  /// The objects to re-create, in the order of the source.
  package let kept: [StoreDefinition.Object]
  /// The objects that depend on something removed or renamed.
  package private(set) var leftBehind: [FileObject]
  /// The objects whose names the destination's model needs.
  package private(set) var displaced: [FileObject]
  /// The indexes left behind because they compute values by a function that may take any time and memory,
  /// each with that function.
  package private(set) var refused: [Refused]

  /// An index that is not re-created.
  package struct Refused: Hashable, Sendable {
    package let object: FileObject
    /// The name of the function.
    package let function: String
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
    let lost = Self.names(in: layout.schema).union(strangers)
      .subtracting(Self.names(in: destination))
      .subtracting(unmanagedTables.columns.map { $0.column.name.uppercased() })
    let indexes = Set(destination.indexes.map(\.signature))
    let lostTables = Set(unmanagedTables.tablesLeftBehind.map(\.name))
    var kept: [StoreDefinition.Object] = []
    var leftBehind: [FileObject] = []
    for object in layout.unmanagedObjects {
      if let signature = object.signature, let move = moves[signature.table] {
        let moved = signature.moved(to: move.destination, columns: move.carriedColumns)
        if let moved, indexes.contains(moved) { continue }
        if let moved, let sql = moved.sql(named: object.name) {
          kept.append(.init(object, sql: sql))
        } else if moved == nil, lost.isDisjoint(with: object.words) {
          // A partial index or one on expressions, all of whose names still exist.
          kept.append(.init(object, sql: object.sql))
        } else {
          leftBehind.append(object)
        }
      } else if lost.isDisjoint(with: object.words), !lostTables.contains(object.table) {
        kept.append(.init(object, sql: object.sql))
      } else {
        leftBehind.append(object)
      }
    }
    let trial = ForeignFunctionCheck(
      on: StoreDefinition(destination, unmanagedTables, IndexStyle(destination))
    )
    var refused: [Refused] = []
    for entry in kept where entry.isComputed {
      guard let function = trial.refusedFunction(of: entry.sql) else { continue }
      refused.append(Refused(object: entry.object, function: function))
    }
    let names = Set(refused.map(\.object))
    let triggers = destination.derivedAttributes.flatMap(\.triggers).map(\.name)
    let needed = destination.tableNames.union(
      (style.indexes.map(\.name) + triggers).map { $0.uppercased() }
    )
    let isNeeded = { (entry: StoreDefinition.Object) in
      needed.contains(entry.object.name.uppercased())
    }
    self.kept = kept.filter { !names.contains($0.object) && !isNeeded($0) }
    self.leftBehind = leftBehind
    self.displaced = kept.filter(isNeeded).map(\.object)
    self.refused = refused.filter { !needed.contains($0.object.name.uppercased()) }
  }

  /// The objects that two steps keep: those of the second, by its statements.
  package func followed(by next: UnmanagedObjects) -> UnmanagedObjects {
    var result = next
    result.leftBehind = leftBehind + next.leftBehind
    result.displaced = displaced + next.displaced
    result.refused = refused + next.refused
    return result
  }

  private static func names(in schema: StoreSchema) -> Set<String> {
    let entityTables = schema.entityTables.flatMap { [$0.name] + $0.columns.map(\.name) }
    let joinTables = schema.joinTables.flatMap { [$0.name] + $0.columns }
    return Set((entityTables + joinTables + schema.rTrees.map(\.name)).map { $0.uppercased() })
  }
}

extension StoreDefinition.Object {
  /// Whether it is an index on expressions, or a partial index.
  package var isComputed: Bool {
    guard let signature = object.signature else { return false }
    return signature.condition != nil || signature.terms.contains { $0.column == nil }
  }
}

extension FileObject {
  /// The words of the statement, in upper case.
  fileprivate var words: Set<String> {
    let parts = sql.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return Set(parts.map { $0.uppercased() })
  }
}

extension StoreDefinition {
  /// The definition of a migration's destination.
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
