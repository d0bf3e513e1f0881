internal import BulkModel
internal import BulkSupport
internal import BulkSQLite
internal import BulkStore

/// Checks the rules of a finished store, independent of its source.
struct StoreCheck {
  let store: PersistentStore
  let model: ManagedObjectModel
  let source: Source
  /// The bytes for keys that are noted while the file is read.
  let memory: Int

  /// The store from which another one was made.
  struct Source: Sendable {
    let path: String
    /// The number of external values whose files are missing there by the plan, and need not be in the other store.
    var missingFiles: Int64 = 0
    var copy: SourceCopy?
    /// Its model if the other store may have as many dangling references as it has, since inferred
    /// steps keep them; `nil` if it may have none.
    var model: ManagedObjectModel?
  }

  /// Checks the structure of the file with all indexes, the metadata, the tables, the entity numbers and keys
  /// of rows, the references, the files of external values, and the R-trees.
  ///
  /// It reports after every check; an error of the report ends the work.
  func run(_ report: () throws -> Void, _ found: Finding) throws {
    let census = census()
    let isSound = try isSound(census, report)
    if !isSound { try checkStructure(found) }
    try report()
    guard let schema = try store.checkDeclarations(by: model, found) else { return }
    for table in schema.entityTables {
      let numbers = schema.entityNumbers(in: table)
      if !isSound || !census.isAmong(numbers, "Z_ENT", of: table.name) {
        try checkNumbers(of: table, numbers, found)
      }
      try report()
    }
    try checkFiles(schema, report, found)
    let references = schema.references.filter { !isSound || !$0.holds(in: census) }
    try check(references, report, found)
    for tree in schema.rTrees {
      try check(tree, found)
      try report()
    }
  }

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

  /// If the highest keys are those that the store states.
  func bytesOfKeys() throws(StoreError) -> Int {
    let highest = try store.primaryKeys().map(\.highestKey).max() ?? 0
    let sets = notedColumns.values.reduce(0) { $0 + $1.count + 1 }
    let (bytes, overflow) = (Int(clamping: highest) / 8 + 64).multipliedReportingOverflow(by: sets)
    return overflow ? .max : bytes
  }

  /// Each page is read once, with all entries of indexes.
  private func isSound(_ census: KeyCensus, _ report: () throws -> Void) throws -> Bool {
    var stop: (any Error)?
    do throws(StoreError) {
      return try store.isSound(noting: census) {
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

  private func checkStructure(_ found: Finding) throws {
    let statement = try store.connection.prepare("PRAGMA main.integrity_check(100)")
    var lines: [String] = []
    while try statement.step() { lines.append(statement.text(at: 0)) }
    for line in lines where line != "ok" {
      try found(StoreDifference(.structure, entity: "file", found: line))
    }
  }

  private func checkNumbers(
    of table: EntityTable,
    _ expected: Set<Int64>,
    _ found: Finding
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
    _ schema: StoreSchema,
    _ report: () throws -> Void,
    _ found: Finding
  ) throws {
    // Several objects may have one value of the source.
    var (missing, first): (Set<String>, StoreDifference?) = ([], nil)
    for column in schema.externalColumns {
      let names = try store.externalFiles(in: column.table, column: column.name)
      while let name = try names.next() {
        if ExternalBinaryData.hasFile(name, of: store.path) { continue }
        let difference = StoreDifference(
          .file,
          entity: column.attribute.entity,
          property: column.attribute.property,
          expected: "file \(name)"
        )
        if ExternalBinaryData.hasFile(name, of: source.path) {
          try found(difference)
        } else if missing.count <= source.missingFiles, missing.insert(name).inserted {
          first = first ?? difference
        }
      }
      try report()
    }
    guard missing.count > source.missingFiles, var first else { return }
    first.found =
      "none, in the source either; by the plan \(source.missingFiles) are missing there, and here at least "
      + "\(missing.count)"
    try found(first)
  }

  /// Checks that references lead to objects of their entities, except for as many others as in the source.
  private func check(
    _ references: [StoreReference],
    _ report: () throws -> Void,
    _ found: Finding
  ) throws {
    var wrong: [(reference: StoreReference, count: Int64, row: Int64)] = []
    for reference in references {
      let (count, row) = try store.count(reference.leadingNowhere)
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
          entity: reference.title.entity,
          property: reference.title.property,
          expected: "an object of \(reference.target)"
            + (reference.entityColumn.map { ", of the entity that \($0) has" } ?? ""),
          found: "none for \(count) keys, the first in row \(row)"
            + (kept > 0 ? "; in the source \(kept) of all relationships point to no object" : "")
        )
      )
    }
  }

  private func referencesLeadingNowhereInSource(_ report: () throws -> Void) throws -> Int64 {
    guard let model = source.model else { return 0 }
    let store = try PersistentStore(path: source.path, copy: source.copy)
    return try store.layout(for: model).schema.references.reduce(0) { sum, reference in
      try report()
      return try sum + store.count(reference.leadingNowhere).count
    }
  }

  /// Checks that an R-tree, if it is there, has the rows of its table in which all its columns are set, at their places,
  /// and nothing else.
  private func check(_ tree: RTree, _ found: Finding) throws {
    guard store.schema.objects.contains(where: { $0.name == tree.name }) else { return }
    for (sql, what) in [
      (tree.differingRowsSQL, "rows are not as in \(tree.table)"),
      (tree.strayEntriesSQL, "entries of rows that do not exist"),
    ] {
      let (count, first) = try store.count(sql)
      guard count > 0 else { continue }
      try found(
        StoreDifference(
          .index,
          entity: tree.name,
          expected: "the rows of \(tree.table) with their values",
          found: "\(count) \(what), the first with key \(first)"
        )
      )
    }
  }
}

extension StoreReference {
  fileprivate func holds(in census: KeyCensus) -> Bool {
    entityColumn == nil && census.leads(from: column, of: table, to: targetTable)
      && (entities.map { census.isAmong(Set($0), "Z_ENT", of: targetTable) } ?? true)
  }

  /// A query that counts the keys without such a row, and finds the first row that has one.
  fileprivate var leadingNowhere: String {
    let (table, column) = (SQLText.quoted(table), SQLText.quoted(column))
    let isKind = entities.map { " AND t.Z_ENT IN (\(ColumnExpression.list($0)))" } ?? ""
    let isNoted = entityColumn.map { " AND t.Z_ENT = s.\(SQLText.quoted($0))" } ?? ""
    return
      "SELECT count(*), min(s.rowid) FROM \(table) AS s NOT INDEXED WHERE s.\(column) IS NOT NULL "
      + "AND NOT EXISTS (SELECT 1 FROM \(SQLText.quoted(targetTable)) AS t WHERE t.Z_PK = s.\(column)"
      + "\(isKind)\(isNoted))"
  }
}

extension PersistentStore {
  /// The number of rows that a query finds, and the first key among them.
  func count(_ sql: String) throws(StoreError) -> (count: Int64, first: Int64) {
    let statement = try connection.prepare(sql)
    guard try statement.step() else { return (0, 0) }
    return (statement.int64(at: 0), statement.int64(at: 1))
  }
}
