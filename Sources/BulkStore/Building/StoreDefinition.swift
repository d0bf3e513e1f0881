/// The definition of a store without its rows: the tables of a model's objects, and everything unmanaged
/// that is copied.
package struct StoreDefinition: Sendable {
  /// An unmanaged index, view, virtual table or trigger.
  package struct Object: Hashable, Sendable {
    /// The object as the source has it.
    package let object: FileObject
    /// The statement that makes it.
    package let sql: String

    package init(_ object: FileObject, sql: String) {
      self.object = object
      self.sql = sql
    }
  }

  /// The tables of the model's objects.
  package let schema: StoreSchema
  /// The indexes of these tables.
  package let indexes: [SchemaIndex]
  /// The uniqueness constraints in the tables' statements, by table.
  let constraints: [String: [[String]]]
  /// The columns that follow those of the model, by table.
  let addedColumns: [String: [FileTable.Column]]
  /// The tables of the persistent history.
  package let history: [FileTable]
  /// The changes that a migration makes to rows of the history.
  let revision: HistoryRevision
  /// The indexes of the persistent history.
  let historyIndexes: [FileObject]
  /// The unmanaged tables.
  package let tables: [FileTable]
  /// The other unmanaged objects.
  let objects: [Object]

  /// The definition of a store with nothing but the objects of a model.
  package init(_ schema: StoreSchema) {
    self.init(schema, indexes: schema.indexes)
  }

  package init(
    _ schema: StoreSchema,
    indexes: [SchemaIndex],
    constraints: [String: [[String]]] = [:],
    addedColumns: [String: [FileTable.Column]] = [:],
    history: [FileTable] = [],
    revision: HistoryRevision = HistoryRevision(),
    historyIndexes: [FileObject] = [],
    tables: [FileTable] = [],
    objects: [Object] = []
  ) {
    self.schema = schema
    self.indexes = indexes
    self.constraints = constraints
    self.addedColumns = addedColumns
    self.history = history
    self.revision = revision
    self.historyIndexes = history.isEmpty ? [] : historyIndexes
    self.tables = tables
    self.objects = objects
  }

  package func statement(of table: EntityTable) -> String {
    SchemaSQL.create(
      table.adding(
        addedColumns[table.name] ?? [],
        uniqueConstraints: constraints[table.name] ?? []
      )
    )
  }

  /// The statements that add the columns that the history needs.
  package var columnStatements: [String] { revision.columnStatements }

  /// The statements that make the tables of the model's objects, in the order of the file: each entity
  /// table, followed by the join tables of its root entity.
  var tableStatements: [String] {
    var result: [String] = []
    for table in schema.entityTables {
      result.append(statement(of: table))
      result += schema.joinTables.filter { $0.owner.entity == table.root }
        .map { SchemaSQL.create($0) }
    }
    let roots = Set(schema.entityTables.map(\.root))
    return result
      + schema.joinTables.filter { !roots.contains($0.owner.entity) }.map { SchemaSQL.create($0) }
  }
}

extension StoreDefinition {
  /// Something that a store has beside the rows of objects and their indexes.
  package enum Part: Sendable {
    /// `Z_PRIMARYKEY`, `Z_METADATA` and `Z_MODELCACHE`, empty.
    case ownTables
    /// A table of the persistent history, or an unmanaged one.
    case table(FileTable)
    /// An index, a view or a trigger of the source.
    case object(FileObject, sql: String)
    /// A virtual table of the source.
    case virtualTable(FileObject)
    /// The rows of `Z_PRIMARYKEY`.
    case primaryKeys
    /// The rows of `Z_METADATA` and `Z_MODELCACHE`.
    case metadata
    /// An R-tree of the model, with the rows that are there.
    case rTree(RTree)
    /// A trigger of a derived attribute or an R-tree.
    case trigger(SchemaTrigger)

    /// Whether it is what only Core Data has.
    var isOfCoreData: Bool {
      switch self {
      case .ownTables, .primaryKeys, .metadata: true
      default: false
      }
    }
  }

  /// The parts in the order in which they are made, when the rows of objects are written.
  ///
  /// - Parameter isCopied: Whether the tables beside those of the model are there already.
  /// - Returns: The parts.
  package func parts(ofCopy isCopied: Bool = false) -> [Part] {
    let kinds = { (kind: FileObject.Kind) in objects.filter { $0.object.kind == kind } }
    let named = { (all: [Object]) in all.map { Part.object($0.object, sql: $0.sql) } }
    let beside =
      (history + tables).map { Part.table($0) }
      + historyIndexes.map { Part.object($0, sql: $0.sql) }
    // Views may depend on anything.
    return [.ownTables] + (isCopied ? [] : beside) + named(kinds(.index)) + named(kinds(.view))
      + (isCopied ? [] : kinds(.virtualTable).map { .virtualTable($0.object) })
      + [.primaryKeys, .metadata] + schema.rTrees.map { .rTree($0) }
      // The values that they would set are there.
      + (schema.derivedAttributes.flatMap(\.triggers) + schema.rTrees.flatMap(\.triggers))
      .map { .trigger($0) } + named(kinds(.trigger))
  }
}

extension StoreDefinition.Part: CustomStringConvertible {
  package var description: String {
    switch self {
    case .ownTables: "Core Data's own tables"
    case .table(let table): "table \(table.name) with its rows"
    case .object(let object, _): "\(object.kind.rawValue) \(object.name)"
    case .virtualTable(let table): "virtual table \(table.name)"
    case .primaryKeys: "the rows of Z_PRIMARYKEY"
    case .metadata: "the metadata and the model"
    case .rTree(let tree): "R-tree \(tree.name)"
    case .trigger(let trigger): "trigger \(trigger.name)"
    }
  }
}
