/// The definition of a store without its rows: the tables of a model's objects, and everything unmanaged
/// that is copied.
package struct StoreDefinition: Sendable {
  /// An unmanaged index, view, virtual table or trigger.
  package struct Object: Hashable, Sendable {
    package let object: FileObject
    package let sql: String

    package init(_ object: FileObject, sql: String) {
      self.object = object
      self.sql = sql
    }
  }

  package let schema: StoreSchema
  package let indexes: [SchemaIndex]
  /// The uniqueness constraints in the tables' statements, by table.
  let constraints: [String: [[String]]]
  /// The columns that follow those of the model, by table.
  let addedColumns: [String: [FileTable.Column]]
  package let history: [FileTable]
  let revision: HistoryRevision
  let historyIndexes: [FileObject]
  package let tables: [FileTable]
  let objects: [Object]

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
    case object(FileObject, sql: String)
    case virtualTable(FileObject)
    case primaryKeys
    case metadata
    /// An R-tree of the model, with the rows that are there.
    case rTree(RTree)
    /// A trigger of a derived attribute or an R-tree.
    case trigger(SchemaTrigger)

    var isOfCoreData: Bool {
      switch self {
      case .ownTables, .primaryKeys, .metadata: true
      default: false
      }
    }
  }

  /// The parts in the order in which they are made, when the rows of objects are written; with
  /// `isCopied`, the tables beside those of the model are there already.
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
