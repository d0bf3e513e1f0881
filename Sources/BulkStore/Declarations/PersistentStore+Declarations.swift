package import BulkModel
internal import BulkSQLite

extension PersistentStore {
  /// Checks what follows from a model: metadata, tables, names of join tables, indexes, triggers, the numbers of
  /// entities and their highest keys; a few pages are read however large it is.
  ///
  /// The version hashes of entities are by name. Returns `nil` if the tables are not those of the
  /// model.
  @discardableResult
  package func checkDeclarations(
    by model: ManagedObjectModel,
    hashes: [String: VersionHash]? = nil,
    _ found: (StoreDifference) throws -> Void
  ) throws -> StoreSchema? {
    try check(hashes ?? model.entityVersionHashesByName, found)
    let schema: StoreSchema
    do throws(StoreError) {
      schema = try layout(for: model).schema
    } catch {
      try found(StoreDifference(.table, entity: "store", found: "\(error)"))
      return nil
    }
    if !StoreNaming.followsOlderRules(metadata.frameworkVersion) {
      try schema.misnamed.forEach(found)
    }
    try checkObjects(schema, found)
    try checkPrimaryKeys(schema, found)
    return schema
  }

  private func check(
    _ expected: [String: VersionHash],
    _ found: (StoreDifference) throws -> Void
  ) throws {
    try StoreDifference.hashes(expected, metadata.versionHashes).forEach(found)
    // Core Data writes no other version (formats/store.md 8).
    let statement = try connection.prepare("SELECT Z_VERSION FROM main.Z_METADATA")
    let version = try statement.step() ? statement.int64(at: 0) : 1
    if version != 1 { try found(.metadata("Z_VERSION", "1", "\(version)")) }
  }

  private func checkObjects(
    _ schema: StoreSchema,
    _ found: (StoreDifference) throws -> Void
  ) throws {
    let signatures = self.schema.indexSignatures
    // Version 479 wrote join tables without a second index, 637 with one; those that move keep
    // their form.
    let bare = metadata.frameworkVersion < 637 ? Set(schema.joinTables.map(\.name)) : []
    for index in schema.indexes
    where !signatures.contains(index.signature) && !bare.contains(index.table) {
      try found(StoreDifference(.index, entity: index.table, expected: index.sql))
    }
    let names = Set(self.schema.objects.map(\.name))
    let triggers = schema.derivedAttributes.flatMap(\.triggers) + schema.rTrees.flatMap(\.triggers)
    for trigger in triggers where !names.contains(trigger.name) {
      try found(StoreDifference(.object, entity: "trigger", expected: trigger.name))
    }
    for tree in schema.rTrees where !names.contains(tree.name) {
      try found(StoreDifference(.object, entity: "R-tree", expected: tree.name))
    }
  }

  private func checkPrimaryKeys(
    _ schema: StoreSchema,
    _ found: (StoreDifference) throws -> Void
  ) throws {
    let entries = Dictionary(firstOf: try primaryKeys().map { ($0.number, $0) })
    for entity in schema.numbering.entities {
      let number = schema.numbering.number(of: entity.name)
      let parent = entity.superentityName.map { schema.numbering.number(of: $0) } ?? 0
      let entry = entries[number]
      func report(_ column: String, _ expected: String, _ actual: String?) throws {
        try found(
          StoreDifference(
            .primaryKey,
            entity: entity.name,
            property: column,
            expected: expected,
            found: actual
          )
        )
      }
      if entry?.superentity != parent {
        try report("Z_SUPER", "\(parent)", entry?.superentity.description)
      }
      guard entity.superentityName == nil else { continue }
      let highest = try highestKey(in: schema.table(of: entity).name)
      let given = entry?.highestKey ?? 0
      if given < highest { try report("Z_MAX", "at least \(highest)", "\(given)") }
    }
  }
}

extension StoreSchema {
  /// The join tables and their columns that have other names than in a new store of the model, where Core Data looks for
  /// them.
  package var misnamed: [StoreDifference] {
    guard !naming.joinTables.isEmpty else { return [] }
    return StoreSchema(model).joinTables.flatMap { expected -> [StoreDifference] in
      guard case .join(let table, let isOwner) = storage(of: expected.owner) else { return [] }
      let found = isOwner ? table.names : [table.name] + table.reversed.names.dropFirst()
      let names = zip(expected.names, found)
      return names.enumerated().filter { $1.0.uppercased() != $1.1.uppercased() }.map {
        index,
        names in
        let kind = index == 0 ? "table" : "column"
        return StoreDifference(
          .table,
          entity: expected.owner.description,
          property: table.name,
          expected: "\(kind) \(names.0)",
          found:
            "\(names.1); the application's first fetch of it fails with \"no such \(kind)\", because Core Data "
            + "takes the names from the model alone"
        )
      }
    }
  }

  /// The relationships that name their join tables, in an order in which their columns get the names that they have.
  package var orderOfClaims: [PropertyKey] {
    let suffixes = joinTables.map { table in
      [
        table.ownerColumn.dropFirst(table.ownerBase.count),
        table.memberColumn.dropFirst(table.memberBase.count),
      ]
      .map { Int($0) ?? 0 }.max() ?? 0
    }
    return joinTables.indices.sorted { (suffixes[$0], $0) < (suffixes[$1], $1) }
      .map { joinTables[$0].owner }
  }
}

extension JoinTable {
  fileprivate var names: [String] {
    [name, ownerColumn, memberColumn] + [ownerOrderColumn, memberOrderColumn].compactMap(\.self)
  }
}
