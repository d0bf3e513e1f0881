package import BulkModel

/// How a store file keeps the objects of its model: the schema of the model, found in the file.
package struct StoreLayout: Sendable {
  /// The schema, with every table and column checked against the file.
  package let schema: StoreSchema
  /// The unmanaged columns of entity tables, by table.
  package let unmanagedColumns: [String: [FileTable.Column]]
  /// The unmanaged tables, in the order of the file, without those of the persistent history and those that
  /// every store has.
  package let unmanagedTables: [FileTable]
  package let historyTables: [FileTable]
  package let historyIndexes: [FileObject]
  /// The R-trees of the model that the file has.
  package let rTrees: [RTree]
  package let unmanagedObjects: [FileObject]
  /// Names in `Z_PRIMARYKEY` that are not the model's, by number: left over from a renaming.
  package let staleNames: [Int64: String]
}

extension StoreOutline {
  /// Finds the schema of a model in the file.
  ///
  /// Throws an error that names the entity, the property and the expectation, if the file lacks it.
  package func layout(for model: ManagedObjectModel) throws(StoreError) -> StoreLayout {
    let check = LayoutCheck(store: self)
    let schema = try check.schema(of: model)
    let stale = try check.staleNames(schema.numbering)
    return StoreLayout(
      schema: schema,
      unmanagedColumns: unmanagedColumns(schema),
      unmanagedTables: unmanagedTables(schema),
      historyTables: self.schema.tables.filter { Self.historyTableNames.contains($0.name) },
      historyIndexes: self.schema.objects.filter {
        $0.kind == .index && Self.historyTableNames.contains($0.table)
      },
      rTrees: schema.rTrees.filter { tree in
        self.schema.objects.contains { $0.kind == .virtualTable && $0.name == tree.name }
      },
      unmanagedObjects: unmanagedObjects(schema),
      staleNames: stale
    )
  }

  static let historyTableNames: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
  private static let fixedTableNames: Set<String> = [
    "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE",
  ]

  private func unmanagedColumns(_ schema: StoreSchema) -> [String: [FileTable.Column]] {
    var result: [String: [FileTable.Column]] = [:]
    for table in schema.entityTables {
      let known = Set(table.columns.map { $0.name.uppercased() })
      let extra = (self.schema.table(named: table.name)?.columns ?? [])
        .filter { !known.contains($0.name.uppercased()) }
      if !extra.isEmpty { result[table.name] = extra }
    }
    return result
  }

  private func unmanagedTables(_ schema: StoreSchema) -> [FileTable] {
    let known = schema.tableNames
    return self.schema.tables.filter { table in
      !known.contains(table.name.uppercased()) && !Self.fixedTableNames.contains(table.name)
        && !Self.historyTableNames.contains(table.name)
    }
  }

  /// The unmanaged objects; an index is matched to the model by its signature, not by its name, which Core
  /// Data's own migrations do not change.
  private func unmanagedObjects(_ schema: StoreSchema) -> [FileObject] {
    let indexes = Set((schema.indexes + schema.omittedEntityIndexes).map(\.signature))
    let trees = Set(schema.rTrees.flatMap(\.allNames))
    return self.schema.objects.filter { object in
      switch object.kind {
      case .index:
        !(object.signature.map(indexes.contains) ?? false)
          && !Self.historyTableNames.contains(object.table)
      case .trigger:
        !object.name.hasPrefix(DerivedAttribute.triggerPrefix)
          && !trees.contains(object.name.uppercased())
      case .virtualTable: !trees.contains(object.name.uppercased())
      case .view: true
      }
    }
  }
}

/// A store without its rows: enough to find the objects of a model in it.
package struct StoreOutline: Sendable {
  /// The store's name in errors if it is not a file.
  package let path: String
  /// The version of Core Data that last wrote it.
  package let frameworkVersion: Int64
  package let schema: FileSchema
  package let primaryKeys: [PrimaryKeyEntry]
}

/// The properties of a store, apart from its model, that decide on the work of its migration: two
/// stores of equal shape differ in rows only.
package struct StoreShape: Hashable, Sendable {
  private struct EntityNumber: Hashable {
    let number: Int64
    let name: String
    let superentity: Int64
  }

  private let frameworkVersion: Int64
  private let tables: [FileTable]
  private let objects: [FileObject]
  private let entities: [EntityNumber]

  package init(_ outline: StoreOutline) {
    frameworkVersion = outline.frameworkVersion
    tables = outline.schema.tables
    objects = outline.schema.objects
    entities = outline.primaryKeys.map {
      EntityNumber(number: $0.number, name: $0.name, superentity: $0.superentity)
    }
  }
}

extension PersistentStore {
  package func outline() throws(StoreError) -> StoreOutline {
    StoreOutline(
      path: path,
      frameworkVersion: metadata.frameworkVersion,
      schema: schema,
      primaryKeys: try primaryKeys()
    )
  }

  package func layout(for model: ManagedObjectModel) throws(StoreError) -> StoreLayout {
    try outline().layout(for: model)
  }
}
