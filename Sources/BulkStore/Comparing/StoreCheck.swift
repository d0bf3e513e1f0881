package import BulkModel
internal import BulkPlatform
internal import BulkSQLite

/// Checks the rules of a finished store, independent of its source.
package struct StoreCheck {
  private let store: PersistentStore
  private let model: ManagedObjectModel
  private let source: Source
  private let memory: Int

  /// The store from which another one was made.
  package struct Source: Sendable {
    /// Its path; a file of external binary data that is missing there need not be in the other store.
    package let path: String
    /// Its pages that are skipped.
    package var skipped: UnreadablePages?
    /// Its model if the other store may have as many dangling references as it has, since inferred
    /// steps keep them; `nil` if it may have none.
    package var model: ManagedObjectModel?

    package init(path: String, skipped: UnreadablePages? = nil, model: ManagedObjectModel? = nil) {
      (self.path, self.skipped, self.model) = (path, skipped, model)
    }
  }

  /// - Parameters:
  ///   - store: The store.
  ///   - model: Its model.
  ///   - source: The store from which it was made.
  ///   - memory: The bytes for keys that are noted while the file is read.
  package init(
    _ store: PersistentStore,
    model: ManagedObjectModel,
    madeFrom source: Source,
    memory: Int
  ) {
    (self.store, self.model, self.source, self.memory) = (store, model, source, memory)
  }

  /// Checks the structure of the file with all indexes, the metadata, the tables, the entity numbers and keys
  /// of rows, the references, the files of external values, and the R-trees.
  ///
  /// It reports after every check; an error of the report ends the work.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  package func run(_ report: () throws -> Void, _ found: (StoreDifference) throws -> Void) throws {
    let census = census()
    let isSound = try isSound(census, report)
    if !isSound { try checkStructure(found) }
    try report()
    guard let schema = try declarations(found) else { return }
    for table in schema.entityTables {
      let numbers = schema.entityNumbers(in: table)
      if !isSound || !census.isAmong(numbers, "Z_ENT", of: table.name) {
        try checkNumbers(of: table, numbers, found)
      }
      try checkFiles(of: table, schema, found)
      try report()
    }
    let references = schema.references.filter { !isSound || !$0.holds(in: census) }
    try check(references, report, found)
    for tree in schema.rTrees {
      try RTreeCheck(tree).run(on: store, found)
      try report()
    }
  }

  /// Checks the declarations of the store: metadata, tables, indexes, triggers, the numbers of
  /// entities and their highest keys; a few pages are read however large it is.
  ///
  /// - Returns: The schema; `nil` if the tables are not those of the model.
  /// - Throws: ``StoreError`` if the store cannot be read.
  @discardableResult
  package func declarations(_ found: (StoreDifference) throws -> Void) throws -> StoreSchema? {
    try checkMetadata(found)
    let schema: StoreSchema
    do throws(StoreError) {
      schema = try store.layout(for: model).schema
    } catch {
      try found(StoreDifference(.table, entity: "store", found: "\(error)"))
      return nil
    }
    try checkObjects(schema, found)
    try checkPrimaryKeys(schema, found)
    return schema
  }

  // MARK: The file

  /// The facts collected while the file is read: entity numbers, and keys that lead to rows.
  private func census() -> KeyCensus { KeyCensus(notedColumns, memory: memory) }

  private var notedColumns: [String: Set<String>] {
    guard let schema = try? store.layout(for: model).schema else { return [:] }
    var columns: [String: Set<String>] = [:]
    for table in schema.entityTables { columns[table.name] = ["Z_ENT"] }
    for reference in schema.references {
      columns[reference.table, default: []].insert(reference.column)
    }
    return columns
  }

  /// The bytes needed for the collected keys, if the highest keys are those that the store states.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  package func bytesOfKeys() throws(StoreError) -> Int {
    let highest = try store.primaryKeys().map(\.highestKey).max() ?? 0
    let sets = notedColumns.values.reduce(0) { $0 + $1.count + 1 }
    let (bytes, overflow) = (Int(clamping: highest) / 8 + 64).multipliedReportingOverflow(by: sets)
    return overflow ? .max : bytes
  }

  /// Whether the file is as SQLite leaves it, with all entries of indexes; each page is read once.
  private func isSound(_ census: KeyCensus, _ report: () throws -> Void) throws -> Bool {
    var stop: (any Error)?
    do throws(StoreError) {
      return try store.soundness(besides: []).run(noting: census) {
        do {
          try report()
          return false
        } catch {
          stop = error
          return true
        }
      }
    } catch {
      throw stop ?? error
    }
  }

  /// Reports irregularities that SQLite finds.
  private func checkStructure(_ found: (StoreDifference) throws -> Void) throws {
    let statement = try store.connection.prepare("PRAGMA main.integrity_check(100)")
    var lines: [String] = []
    while try statement.step() { lines.append(statement.text(at: 0)) }
    for line in lines where line != "ok" {
      try found(StoreDifference(.structure, entity: "file", found: line))
    }
  }

  private func checkMetadata(_ found: (StoreDifference) throws -> Void) throws {
    let (expected, actual) = (model.entityVersionHashesByName, store.metadata.versionHashes)
    for name in Set(expected.keys).union(actual.keys).sortedByCodeUnit()
    where expected[name] != actual[name] {
      try found(
        StoreDifference(
          .metadata,
          entity: "metadata",
          property: "version hash of \(name)",
          expected: expected[name].map { "\($0)" },
          found: actual[name].map { "\($0)" }
        )
      )
    }
    // Core Data writes no other version (store-format.md 7.1).
    let statement = try store.connection.prepare("SELECT Z_VERSION FROM main.Z_METADATA")
    let version = try statement.step() ? statement.int64(at: 0) : 1
    guard version != 1 else { return }
    try found(
      StoreDifference(
        .metadata,
        entity: "metadata",
        property: "Z_VERSION",
        expected: "1",
        found: "\(version)"
      )
    )
  }

  private func checkObjects(
    _ schema: StoreSchema,
    _ found: (StoreDifference) throws -> Void
  ) throws {
    let signatures = store.schema.indexSignatures
    // Version 479 wrote join tables without a second index, 637 with one; those that move keep
    // their form.
    let bare = store.metadata.frameworkVersion < 637 ? Set(schema.joinTables.map(\.name)) : []
    for index in schema.indexes
    where !signatures.contains(index.signature) && !bare.contains(index.table) {
      try found(StoreDifference(.index, entity: index.table, expected: index.sql))
    }
    let names = Set(store.schema.objects.map(\.name))
    let triggers = schema.derivedAttributes.flatMap(\.triggers) + schema.rTrees.flatMap(\.triggers)
    for trigger in triggers where !names.contains(trigger.name) {
      try found(StoreDifference(.object, entity: "trigger", expected: trigger.name))
    }
    for tree in schema.rTrees where !names.contains(tree.name) {
      try found(StoreDifference(.object, entity: "R-tree", expected: tree.name))
    }
  }

  // MARK: Keys

  private func checkPrimaryKeys(
    _ schema: StoreSchema,
    _ found: (StoreDifference) throws -> Void
  ) throws {
    let entries = Dictionary(
      try store.primaryKeys().map { ($0.number, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for entity in schema.numbering.entities {
      let number = schema.numbering.number(of: entity.name)
      let parent = entity.superentityName.map { schema.numbering.number(of: $0) } ?? 0
      let entry = entries[number]
      if entry?.superentity != parent {
        try found(
          StoreDifference(
            .primaryKey,
            entity: entity.name,
            property: "Z_SUPER",
            expected: "\(parent)",
            found: entry.map { "\($0.superentity)" }
          )
        )
      }
      guard entity.superentityName == nil else { continue }
      let highest = try store.highestKey(in: schema.table(of: entity).name)
      let given = entry?.highestKey ?? 0
      if given < highest {
        try found(
          StoreDifference(
            .primaryKey,
            entity: entity.name,
            property: "Z_MAX",
            expected: "at least \(highest)",
            found: "\(given)"
          )
        )
      }
    }
  }

  private func checkNumbers(
    of table: EntityTable,
    _ expected: Set<Int64>,
    _ found: (StoreDifference) throws -> Void
  ) throws {
    for (number, count) in try store.rowsByEntity(in: table.name, expecting: expected)
    where !(number.map(expected.contains) ?? false) {
      try found(
        StoreDifference(
          .entity,
          entity: table.root,
          property: "Z_ENT",
          expected: "one of \(expected.sorted().map(String.init).joined(separator: ", "))",
          found: "\(number.map(String.init) ?? "no number") in \(count) rows"
        )
      )
    }
  }

  private func checkFiles(
    of table: EntityTable,
    _ schema: StoreSchema,
    _ found: (StoreDifference) throws -> Void
  ) throws {
    for column in table.columns where schema.allowsExternalStorage(column) {
      guard case .attribute(let key) = column.role else { continue }
      var missing: [String] = []
      try store.eachExternalFile(in: table.name, column: column.name) { name in
        if isMissing(name) { missing.append(name) }
      }
      for name in missing {
        try found(
          StoreDifference(
            .file,
            entity: key.entity,
            property: key.property,
            expected: "file \(name)"
          )
        )
      }
    }
  }

  /// Whether the store lacks a file that the source has.
  private func isMissing(_ name: String) -> Bool {
    let manager = FileManager.default
    return !manager.fileExists(atPath: ExternalBinaryData.file(name, of: store.path))
      && manager.fileExists(atPath: ExternalBinaryData.file(name, of: source.path))
  }

  /// Checks that references lead to objects, except for as many dangling ones as in the source.
  private func check(
    _ references: [StoreReference],
    _ report: () throws -> Void,
    _ found: (StoreDifference) throws -> Void
  ) throws {
    var wrong: [(reference: StoreReference, count: Int64, row: Int64)] = []
    for reference in references {
      let (count, row) = try reference.leadingNowhere(in: store)
      if count > 0 { wrong.append((reference, count, row)) }
      try report()
    }
    let count = wrong.reduce(0) { $0 + $1.count }
    guard count > 0 else { return }
    let kept = try referencesLeadingNowhereInSource(report)
    guard count > kept else { return }
    for (reference, count, row) in wrong {
      try found(
        StoreDifference(
          .reference,
          entity: reference.entity,
          property: reference.property,
          expected: "an object of \(reference.target)",
          found: "none for \(count) keys, the first in row \(row)"
            + (kept > 0 ? "; in the source \(kept) of all relationships lead nowhere" : "")
        )
      )
    }
  }

  private func referencesLeadingNowhereInSource(_ report: () throws -> Void) throws -> Int64 {
    guard let model = source.model else { return 0 }
    let store = try PersistentStore(path: source.path, skipping: source.skipped)
    return try store.layout(for: model).schema.references.reduce(0) { sum, reference in
      try report()
      return try sum + reference.leadingNowhere(in: store).count
    }
  }
}

/// A column of keys that must be those of rows.
private struct StoreReference {
  let entity: String
  let property: String
  let table: String
  let column: String
  let target: String
  let targetTable: String

  /// Whether all keys are known to lead to rows.
  func holds(in census: KeyCensus) -> Bool {
    census.leads(from: column, of: table, to: targetTable)
  }

  /// Counts the keys without a row, and finds the first row that has one.
  func leadingNowhere(in store: PersistentStore) throws(StoreError) -> (count: Int64, row: Int64) {
    let statement = try store.connection.prepare(sql)
    guard try statement.step() else { return (0, 0) }
    return (statement.int64(at: 0), statement.int64(at: 1))
  }

  private var sql: String {
    let (table, column) = (SQLText.quoted(table), SQLText.quoted(column))
    return
      "SELECT count(*), min(s.rowid) FROM \(table) AS s NOT INDEXED WHERE s.\(column) IS NOT NULL "
      + "AND NOT EXISTS (SELECT 1 FROM \(SQLText.quoted(targetTable)) AS t WHERE t.Z_PK = s.\(column))"
  }
}

extension StoreSchema {
  /// The columns of keys in entity tables and in join tables.
  fileprivate var references: [StoreReference] {
    let inRows = entityTables.flatMap { table in
      table.columns.compactMap { column -> StoreReference? in
        switch column.role {
        case .foreignKey(let key):
          return reference(key, of: key.entity, in: table.name, column.name, to: target(of: key))
        case .hiddenForeignKey(let key):
          return reference(key, of: table.root, in: table.name, column.name, to: key.entity)
        case .primaryKey, .entity, .version, .attribute, .foreignEntity, .orderKey, .hiddenOrderKey,
          .unmanaged:
          return nil
        }
      }
    }
    let inPairs = joinTables.flatMap { table in
      [
        reference(
          table.owner,
          of: table.owner.entity,
          in: table.name,
          table.ownerColumn,
          to: table.owner.entity
        ),
        reference(
          table.inverse,
          of: table.inverse.entity,
          in: table.name,
          table.memberColumn,
          to: table.inverse.entity
        ),
      ].compactMap(\.self)
    }
    return inRows + inPairs
  }

  private func reference(
    _ key: PropertyKey,
    of entity: String,
    in table: String,
    _ column: String,
    to target: String
  ) -> StoreReference? {
    guard let found = model.entity(named: target) else { return nil }
    return StoreReference(
      entity: entity,
      property: key.property,
      table: table,
      column: column,
      target: target,
      targetTable: self.table(of: found).name
    )
  }
}
