internal import BulkModel
internal import BulkSupport
internal import BulkSQLite
internal import BulkStore

/// Is called for every difference that is found.
typealias Finding = (StoreDifference) throws -> Void

/// Is called with numbers of rows that are done, which add up.
typealias RowReport = (Int64) throws -> Void

/// Compares a store with the expected one, by meaning: file layout, names of indexes and the order
/// of columns do not count.
struct StoreComparison {
  private let expected: PersistentStore
  private let actual: PersistentStore
  private let schema: StoreSchema
  private let layout: StoreLayout
  private let source: (_ entity: String, _ key: Int64) -> String?

  /// Prepares a comparison; `source` names the object from which one with an entity and a key was
  /// made.
  init(
    expected: PersistentStore,
    actual: PersistentStore,
    model: ManagedObjectModel,
    source: @escaping (_ entity: String, _ key: Int64) -> String? = { _, _ in nil }
  ) throws(StoreError) {
    (self.expected, self.actual, self.source) = (expected, actual, source)
    layout = try expected.layout(for: model)
    self.schema = layout.schema
  }

  /// Compares everything: metadata, keys, tables and indexes, then all rows.
  ///
  /// It reports the rows compared since; an error of the report ends the comparison.
  func run(_ report: RowReport, _ found: Finding) throws -> Int64 {
    try compareMetadata(found)
    try comparePrimaryKeys(found)
    try compareObjects(found)
    try compareModels(found)
    var count: Int64 = 0
    try compareHighestKeys(found)
    for table in layout.comparedTables where try hasColumns(of: table, found) {
      guard table.keyCount > 0 else {
        let one = try expected.sum(of: table, report)
        let other = try actual.sum(of: table) { _ in try report(0) }
        if one != other { try found(.rows(of: table.name, one, other)) }
        count += one.rows
        continue
      }
      let rows = RowComparison(
        table: table,
        expected: expected,
        actual: actual,
        schema: schema,
        source: source
      )
      count += try rows.run(report, found)
    }
    try compareFiles(found)
    return count
  }

  private func hasColumns(of table: ComparedTable, _ found: Finding) throws -> Bool {
    guard let file = actual.schema.table(named: table.name) else {
      try found(StoreDifference(.table, entity: table.title, expected: "table \(table.name)"))
      return false
    }
    let missing = table.columns.map(\.name).filter { name in
      file.column(named: name) == nil && name != file.rowIDName
    }
    for name in missing {
      try found(
        StoreDifference(.table, entity: table.title, expected: "column \(table.name).\(name)")
      )
    }
    let known = Set(table.columns.map { $0.name.uppercased() })
    for column in file.columns where !known.contains(column.name.uppercased()) {
      try found(
        StoreDifference(.table, entity: table.title, found: "column \(table.name).\(column.name)")
      )
    }
    if missing.isEmpty, let wanted = expected.schema.table(named: table.name) {
      try compareConstraints(table.title, of: wanted, file, found)
      try compareTypes(table.title, of: wanted, file, found)
    }
    return missing.isEmpty
  }

  private func compareConstraints(
    _ title: String,
    of one: FileTable,
    _ other: FileTable,
    _ found: Finding
  ) throws {
    let lacking = one.constraints.subtracting(other.constraints).sortedByCodeUnit()
    let added = other.constraints.subtracting(one.constraints).sortedByCodeUnit()
    guard lacking + added != [] else { return }
    func text(_ parts: [String]) -> String? { parts.isEmpty ? nil : parts.joined(separator: ", ") }
    try found(
      StoreDifference(
        .table,
        entity: title,
        property: other.name,
        expected: text(lacking),
        found: text(added)
      )
    )
  }

  /// Types of the same affinity are the same: SQLite keeps equal values for them.
  private func compareTypes(
    _ title: String,
    of one: FileTable,
    _ other: FileTable,
    _ found: Finding
  ) throws {
    for column in one.columns {
      let types = [column, other.column(named: column.name)].map { $0?.declaredType ?? "" }
      let affinities = types.map { ColumnAffinity(declaredType: $0) }
      guard affinities[0] != affinities[1] else { continue }
      let shown = types.map { $0.isEmpty ? nil : $0 }
      try found(
        StoreDifference(
          .table,
          entity: title,
          property: "\(one.name).\(column.name)",
          expected: shown[0],
          found: shown[1]
        )
      )
    }
  }

  /// Compares the highest keys that tables with `AUTOINCREMENT` ever handed out.
  private func compareHighestKeys(_ found: Finding) throws {
    let (ones, others) = (try expected.highestKeys(), try actual.highestKeys())
    for table in layout.historyTables + layout.unmanagedTables
    where ones[table.name] != others[table.name] {
      try found(
        StoreDifference(
          .primaryKey,
          entity: table.name,
          property: "sqlite_sequence",
          expected: ones[table.name],
          found: others[table.name]
        )
      )
    }
  }

  /// Entries that name the framework that wrote the store.
  private static let volatileKeys: Set = [
    "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion",
  ]
  /// Entries that newer frameworks alone write, and that follow from the version hashes.
  private static let derivedKeys: Set = [
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey",
  ]

  private func compareMetadata(_ found: Finding) throws {
    let (one, other) = (expected.metadata, actual.metadata)
    func differ(_ property: String, _ expected: String?, _ actual: String?) throws {
      if expected != actual { try found(.metadata(property, expected, actual)) }
    }
    try differ("Z_UUID", one.uuid, other.uuid)
    let numbers = try (expected.applicationNumbers(), actual.applicationNumbers())
    try differ("user_version", "\(numbers.0.userVersion)", "\(numbers.1.userVersion)")
    try differ("application_id", "\(numbers.0.applicationID)", "\(numbers.1.applicationID)")
    try StoreDifference.hashes(one.versionHashes, other.versionHashes).forEach(found)
    let keys = Set(one.entries.keys).union(other.entries.keys)
      .subtracting(Self.volatileKeys).subtracting(["NSStoreModelVersionHashes"])
    for key in keys.sortedByCodeUnit() where one.entries[key] != other.entries[key] {
      if Self.derivedKeys.contains(key), one.entries[key] == nil || other.entries[key] == nil {
        continue
      }
      try differ(key, one.entries[key].map { "\($0)" }, other.entries[key].map { "\($0)" })
    }
  }

  /// Compares the models that the stores keep by the hashes of their entities, as a framework may keep more of a model
  /// than another one; older ones keep none.
  private func compareModels(_ found: Finding) throws {
    guard let one = try expected.cachedModel()?.entityVersionHashesByName else { return }
    let fault: String?
    do throws(StoreError) {
      let other = try actual.cachedModel()?.entityVersionHashesByName
      fault = other == one ? nil : other == nil ? "none" : "another one"
    } catch {
      fault = "\(error)"
    }
    guard let fault else { return }
    try found(.metadata("model that the store keeps", "that of its version", fault))
  }

  private func comparePrimaryKeys(_ found: Finding) throws {
    let ones = try Self.byName(expected.primaryKeys())
    let others = try Self.byName(actual.primaryKeys())
    for name in Set(ones.keys).union(others.keys).sortedByCodeUnit()
    where ones[name] != others[name] {
      try found(
        StoreDifference(
          .primaryKey,
          entity: name,
          property: "Z_PRIMARYKEY",
          expected: ones[name].map(Self.text),
          found: others[name].map(Self.text)
        )
      )
    }
  }

  private static func byName(_ entries: [PrimaryKeyEntry]) -> [String: PrimaryKeyEntry] {
    Dictionary(firstOf: entries.map { ($0.name, $0) })
  }

  private static func text(of entry: PrimaryKeyEntry) -> String {
    "number \(entry.number), superentity \(entry.superentity), highest key \(entry.highestKey)"
  }

  private func compareObjects(_ found: Finding) throws {
    let (ones, others) = (Self.described(expected), Self.described(actual))
    for (text, object) in ones.sorted(by: { $0.key < $1.key }) where others[text] == nil {
      try found(StoreDifference(Self.kind(of: object), entity: object.table, expected: object.sql))
    }
    for (text, object) in others.sorted(by: { $0.key < $1.key }) where ones[text] == nil {
      try found(StoreDifference(Self.kind(of: object), entity: object.table, found: object.sql))
    }
    for table in actual.schema.tables where expected.schema.table(named: table.name) == nil {
      // Stores of older frameworks keep no model.
      guard table.name != "Z_MODELCACHE" else { continue }
      try found(StoreDifference(.table, entity: table.name, found: "table \(table.name)"))
    }
  }

  private static func kind(of object: FileObject) -> StoreDifference.Kind {
    object.kind == .index ? .index : .object
  }

  /// The objects of a store by their descriptions; an index by its terms, not by its name.
  private static func described(_ store: PersistentStore) -> [String: FileObject] {
    Dictionary(
      firstOf: store.schema.objects.map { object in
        let text =
          object.signature.map { "\($0)" }
          ?? "\(object.kind.rawValue) \(object.name) " + normalized(object.sql)
        return (text, object)
      }
    )
  }

  private static func normalized(_ sql: String) -> String {
    sql.filter { $0 != "\"" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Compares the files to which values of the expected store refer, and looks for others.
  private func compareFiles(_ found: Finding) throws {
    for column in schema.externalColumns {
      let names = try expected.externalFiles(in: column.table, column: column.name)
      while let name = try names.next() {
        if let difference = difference(ofFile: name, of: column.attribute) {
          try found(difference)
        }
      }
    }
    let manager = FileManager.default
    let folder = ExternalBinaryData.file("", of: actual.path)
    let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sortedByCodeUnit()
    where !manager.fileExists(atPath: ExternalBinaryData.file(name, of: expected.path)) {
      try found(StoreDifference(.file, entity: "external values", found: "file \(name)"))
    }
  }

  private func difference(ofFile name: String, of key: PropertyKey) -> StoreDifference? {
    let manager = FileManager.default
    let one = ExternalBinaryData.file(name, of: expected.path)
    let other = ExternalBinaryData.file(name, of: actual.path)
    // A file that the source lacks is not a fault of the destination.
    guard manager.fileExists(atPath: one) else { return nil }
    let isThere = manager.fileExists(atPath: other)
    if isThere, manager.contentsEqual(atPath: one, andPath: other) { return nil }
    return StoreDifference(
      .file,
      entity: key.entity,
      property: key.property,
      expected: "file \(name)",
      found: isThere ? "a file with other bytes" : nil
    )
  }
}

extension PersistentStore {
  /// By the names of tables.
  fileprivate func highestKeys() throws(StoreError) -> [String: String] {
    let table = "SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'"
    guard try connection.integer(table) != nil else { return [:] }
    let statement = try connection.prepare("SELECT name, seq FROM main.sqlite_sequence")
    var keys: [String: String] = [:]
    while try statement.step() { keys[statement.text(at: 0)] = statement.text(at: 1) }
    return keys
  }
}
