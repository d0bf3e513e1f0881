internal import BulkSupport
package import BulkModel
package import BulkSQLite

/// A Core Data store, open for reading.
///
/// The file and the files beside it are not touched; see ``Connection/Access/source``.
package final class PersistentStore {
  package let path: String
  /// The copy that is read in place of the store's own file, if there is one.
  package let substitute: SourceCopy?
  private let header: DatabaseFile
  private let stamp: DatabaseStamp
  package let metadata: StoreMetadata
  /// In bytes.
  package let metadataBytes: Int64
  package let schema: FileSchema
  /// The connection, lent to features for queries of their own.
  package let connection: Connection
  /// The numbers of rows that were counted, by table.
  private var rowCounts: [String: Int64] = [:]
  /// The numbers of rows that were counted as far as they mattered, by table.
  private var leastRows: [String: Int64] = [:]
  /// The contents of tables found in their pages, by name, once all were read.
  private var contents: [String: TableContents]?

  /// Opens a store, or a copy in its place, and reads its metadata and schema, but no row.
  package init(path: String, copy: SourceCopy? = nil) throws(StoreError) {
    self.path = path
    substitute = copy
    stamp = DatabaseStamp(path: path)
    let file = try (copy?.file ?? SourceFile(path: path)).opened()
    header = try DatabaseFile(file)
    try Self.refuseEndlessSchema(file)
    connection = try Connection(reading: file)
    schema = try FileSchema(connection)
    for table in ["Z_METADATA", "Z_PRIMARYKEY"] where schema.table(named: table) == nil {
      throw .notAStore(path: path, missingTable: table)
    }
    (metadata, metadataBytes) = try Self.metadata(connection)
  }

  package var file: SourceFile { connection.file }
  package var size: Int64 { header.effectiveSize }
  package var pageSize: Int { header.pageSize }
  package var loggedPages: Int64 { header.loggedPages }

  /// Lets SQLite hold some bytes of the file, for reading rows in any order.
  package func useCache(of bytes: Int64) throws(StoreError) {
    let kibibytes = max(bytes >> 10, Self.usualCache)
    try connection.execute("PRAGMA main.cache_size = -\(kibibytes)")
  }

  /// In KiB.
  private static let usualCache: Int64 = 512

  /// The encoding of the file's texts, as SQLite names it; Core Data writes `UTF-8`.
  package func textEncoding() throws(StoreError) -> String {
    let value = try connection.value("PRAGMA main.encoding")
    guard case .text(let name) = value else { return "UTF-8" }
    return name
  }

  /// The numbers in the header that are the application's.
  package func applicationNumbers() throws(StoreError) -> (
    userVersion: Int32, applicationID: Int32
  ) {
    // A copy in its place lacks the first one.
    if substitute != nil { return try PersistentStore(path: path).applicationNumbers() }
    let version = try connection.integer("PRAGMA main.user_version") ?? 0
    let application = try connection.integer("PRAGMA main.application_id") ?? 0
    return (Int32(truncatingIfNeeded: version), Int32(truncatingIfNeeded: application))
  }

  /// A store in memory, without rows, that reads rows from this one; errors give it a name.
  package func sessionInMemory(
    named name: String = ":memory:",
    lookupBytes: Int = 0
  ) throws(StoreError) -> StoreSession {
    try StoreSession(
      inMemoryFor: name,
      readingFrom: file,
      encoding: try textEncoding(),
      lookupBytes: lookupBytes
    )
  }

  package var isInWriteAheadMode: Bool { header.isInWriteAheadMode }

  /// Whether the file has been written to, replaced or removed since it was opened.
  package var hasChanged: Bool {
    guard hasSameAttributes else { return true }
    return (try? header.isUnchanged()) != true
  }

  /// Whether the file is unchanged since it was opened, when a further change would show in its attributes; waits for that,
  /// two seconds at most.
  var isUnchangedForCertain: Bool {
    _ = header.waitUntilChangesShow()
    return !hasChanged
  }

  /// Whether the file system gives the file, its log and its journal the attributes that they had when it was
  /// opened; none of them is opened for that.
  var hasSameAttributes: Bool { DatabaseStamp(path: path) == stamp }

  /// The contents of tables found in their pages, by name; `nil` if they were not read, or the file
  /// has changed since.
  var knownContents: [String: TableContents]? {
    guard let contents, hasSameAttributes else { return nil }
    return contents
  }

  func note(_ contents: [String: TableContents]) { self.contents = contents }

  package var identification: StoreIdentity.Reading { StoreIdentity.Reading(header) }

  /// The model cached in the store; `nil` if there is none, as in stores of old frameworks.
  package func cachedModel() throws(StoreError) -> ManagedObjectModel? {
    guard schema.table(named: "Z_MODELCACHE") != nil else { return nil }
    let value = try connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")
    guard case .blob(let bytes) = value, !bytes.isEmpty else { return nil }
    do throws(ModelError) {
      return try ModelCache.model(from: bytes)
    } catch {
      throw .badModelCache(error, path: path)
    }
  }

  /// The maximum number of entities of a store, over a hundred times that of any real model.
  private static let entityLimit = 65_536
  /// The maximum number of bytes of the metadata, about a thousand times the largest seen.
  private static let metadataLimit: Int64 = 16 * 1024 * 1024

  /// By number.
  package func primaryKeys() throws(StoreError) -> [PrimaryKeyEntry] {
    let statement = try connection.prepare(
      "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"
    )
    var result: [PrimaryKeyEntry] = []
    while try statement.step() {
      guard result.count < Self.entityLimit else {
        throw StoreError(
          .corrupt,
          message:
            "Z_PRIMARYKEY has more than \(Self.entityLimit) rows, as no model has entities",
          path: path
        )
      }
      result.append(
        PrimaryKeyEntry(
          number: statement.int64(at: 0),
          name: statement.text(at: 1),
          superentity: statement.int64(at: 2),
          highestKey: statement.int64(at: 3)
        )
      )
    }
    return result
  }

  /// The number of rows of a table for every entity number in it; a table of one expected entity is
  /// counted without sorting.
  ///
  /// The key `nil` stands for values of `Z_ENT` that are not integers.
  package func rowsByEntity(
    in table: String,
    expecting entities: Set<Int64>
  ) throws(StoreError) -> [Int64?: Int64] {
    if let known = contents?[table]?.rowsByNumber {
      return Dictionary(uniqueKeysWithValues: known.map { (Optional($0), $1) })
    }
    let name = SQLText.quoted(table)
    if entities.count == 1, let only = entities.first {
      let others = try connection.integer(
        "SELECT count(*) FROM \(name) NOT INDEXED WHERE Z_ENT IS NOT \(only)"
      )
      if others == 0 {
        let all = try rows(in: table)
        return all == 0 ? [:] : [only: all]
      }
    }
    let statement = try connection.prepare(
      // One number more than expected is enough to refuse the table. Indexes are not used: a
      // corrupt one may have other numbers than the rows that are moved.
      "SELECT Z_ENT, count(*) FROM \(name) NOT INDEXED GROUP BY Z_ENT "
        + "LIMIT \(entities.count + 1)"
    )
    var result: [Int64?: Int64] = [:]
    while try statement.step() {
      let isNumber = statement.storageClass(at: 0) == .integer
      result[isNumber ? statement.int64(at: 0) : nil, default: 0] += statement.int64(at: 1)
    }
    return result
  }

  /// The rows are counted once.
  package func rows(in table: String) throws(StoreError) -> Int64 {
    if let known = rowCounts[table] { return known }
    if let known = contents?[table]?.rows { return known }
    if let counted = try entries(of: table, upTo: .max) {
      rowCounts[table] = counted
      return counted
    }
    var counted = "*) FROM \(SQLText.quoted(table))"
    // An index of pairs can be smaller than their table, and would hide its unreadable pages.
    let columns = schema.table(named: table)?.columns ?? []
    let hasObjects = columns.contains { $0.name.uppercased() == "Z_ENT" }
    if let last = columns.last, contents != nil, !hasObjects {
      counted = "typeof(\(SQLText.quoted(last.name)))) FROM \(SQLText.quoted(table)) NOT INDEXED"
    }
    // An index of the application may still have entries of rows that are left out.
    if substitute?.strays.contains(where: { $0.table == table }) == true {
      counted += " NOT INDEXED"
    }
    let count = try connection.integer("SELECT count(\(counted)") ?? 0
    rowCounts[table] = count
    return count
  }

  /// The number of rows of a table, or a lower one that is at least a fourth of that of all keys from the first to the
  /// last: the whole table is not read for it.
  package func rowsAmongKeys(in table: String) throws(StoreError) -> Int64 {
    if let known = rowCounts[table] ?? leastRows[table] { return known }
    let keys = try keyCount(in: table)
    guard keys < .max, let found = try entries(of: table, upTo: keys / 4 + 1) else {
      return try rows(in: table)
    }
    leastRows[table] = found
    return found
  }

  /// A number that the rows of a table do not exceed: that of all keys from the first to the last, or the exact one.
  package func mostRows(in table: String) throws(StoreError) -> Int64 {
    let keys = try keyCount(in: table)
    return rowCounts[table] == nil && keys < 1 << 40 ? keys : try rows(in: table)
  }

  /// The number of all keys from the first to the last of a table; the greatest where that is not a number.
  private func keyCount(in table: String) throws(StoreError) -> Int64 {
    guard let keys = try keys(in: table) else { return 0 }
    let (distance, isBeyond) = keys.upperBound.subtractingReportingOverflow(keys.lowerBound)
    return isBeyond || distance == .max ? .max : distance + 1
  }

  /// The number of entries in an index of a table, or in the table, as far as a limit; `nil` if it is left to SQLite.
  private func entries(of table: String, upTo limit: Int64) throws(StoreError) -> Int64? {
    guard contents == nil, substitute == nil else { return nil }
    let name = SQLText.quoted(literal: table)
    let root = try connection.integer(
      "SELECT s.rootpage FROM sqlite_schema AS s LEFT JOIN pragma_index_list(\(name)) AS l ON l.name = s.name "
        + "WHERE s.tbl_name = \(name) COLLATE NOCASE AND s.rootpage > 0 AND (s.type = 'table' OR l.partial = 0) "
        + "ORDER BY s.type, s.rootpage LIMIT 1"
    )
    return root.flatMap { file.entries(below: UInt32(clamping: $0), upTo: limit) }
  }

  /// 0 for an empty table.
  package func highestKey(in table: String) throws(StoreError) -> Int64 {
    try connection.integer("SELECT max(rowid) FROM \(SQLText.quoted(table))") ?? 0
  }

  /// The last transaction of the persistent history with a change of an entity with one of some numbers; `nil` if there
  /// is none.
  package func lastTransaction(changing entities: [Int64]) throws(StoreError) -> Int64? {
    let list = ColumnExpression.list(entities)
    return try connection.integer(
      "SELECT max(ZTRANSACTIONID) FROM ACHANGE NOT INDEXED WHERE ZENTITY IN (\(list))"
    )
  }

  package func keys(in table: String) throws(StoreError) -> ClosedRange<Int64>? {
    try connection.keys(in: SQLText.quoted(table))
  }

  /// The number of pairs that are lost where only the first of several partners counts.
  package func partnersLeftOut(by choice: FirstPartner) throws(StoreError) -> Int64 {
    try connection.integer(choice.lookup.leftOutSQL(inverseLookup: choice.inverseLookup)) ?? 0
  }

  private static func metadata(
    _ connection: Connection
  ) throws(StoreError) -> (StoreMetadata, Int64) {
    let statement = try connection.prepare(
      "SELECT Z_UUID, Z_PLIST, length(Z_PLIST) FROM Z_METADATA LIMIT 2"
    )
    var rows: [(uuid: String, bytes: [UInt8])] = []
    while try statement.step() {
      guard statement.int64(at: 2) <= metadataLimit else {
        throw StoreError(
          .corrupt,
          message: "its metadata has \(statement.int64(at: 2)) bytes, more than \(metadataLimit)",
          path: connection.path
        )
      }
      if statement.value(at: 1) == .null { throw .nullMetadata(path: connection.path) }
      rows.append((statement.text(at: 0), statement.blob(at: 1)))
    }
    guard rows.count == 1 else {
      throw .metadataRows(rows.isEmpty ? "no row" : "several rows", path: connection.path)
    }
    let list: PropertyList
    do throws(CodingError) {
      list = try PropertyList(rows[0].bytes)
    } catch {
      throw .damaged("the property list of Z_METADATA", path: connection.path, reason: error)
    }
    guard case .dictionary(let entries) = list else {
      throw .badMetadata(key: "(the whole is not a dictionary)", path: connection.path)
    }
    guard case .dictionary = entries["NSStoreModelVersionHashes"] else {
      throw .badMetadata(key: "NSStoreModelVersionHashes", path: connection.path)
    }
    return (StoreMetadata(uuid: rows[0].uuid, entries: entries), Int64(rows[0].bytes.count))
  }
}

extension PersistentStore {
  /// The number of rows with an unexpected entity number, although the key beside it refers to an existing
  /// object.
  ///
  /// The rows are read once for all columns of a table, without an index.
  ///
  /// In the order of the columns.
  package func unexpectedNumbers(
    _ columns: [StoredEntity],
    in table: String
  ) throws(StoreError) -> [Int64] {
    guard !columns.isEmpty else { return [] }
    let counts = columns.map { column in
      let (key, number) = (SQLText.quoted(column.keyColumn), SQLText.quoted(column.column))
      // Unlike AND, CASE looks up no object unless it must.
      return "ifnull(sum(CASE WHEN s.\(key) IS NOT NULL AND (s.\(number) IS NULL OR s.\(number) "
        + "NOT IN (\(ColumnExpression.list(column.expected)))) THEN EXISTS (SELECT 1 FROM "
        + "\(SQLText.quoted(column.target)) AS p WHERE p.Z_PK = s.\(key) "
        + "AND p.Z_ENT IN (\(ColumnExpression.list(column.kept)))) END), 0)"
    }
    let statement = try connection.prepare(
      "SELECT \(counts.joined(separator: ", ")) FROM \(SQLText.quoted(table)) AS s NOT INDEXED"
    )
    guard try statement.step() else { return [] }
    return columns.indices.map { statement.int64(at: Int32($0)) }
  }
}

extension PersistentStore {
  private static let sampleCount: Int64 = 64
  private static let rowsPerSample: Int64 = 16
  /// SQLite's overhead for a row beside its values: key, header and cell pointer.
  private static let rowOverhead = 8.0

  /// The mean size of a table's rows in bytes, from a sample of rows at evenly spaced keys; from all rows where the keys
  /// are few.
  package func meanRowSize(in table: FileTable) throws(StoreError) -> Double {
    let name = SQLText.quoted(table.name)
    guard table.hasRowID, !table.columns.isEmpty, let keys = try connection.keys(in: name) else {
      return 0
    }
    let columns = table.columns.map { SQLText.quoted($0.name) }
    let sizes = columns.map {
      // The length of text and BLOB, the usual width of numbers.
      "CASE typeof(\($0)) WHEN 'null' THEN 1 WHEN 'integer' THEN 4 WHEN 'real' THEN 9 "
        + "WHEN 'blob' THEN length(\($0)) + 2 ELSE length(CAST(\($0) AS BLOB)) + 2 END"
    }
    let least = Double(keys.lowerBound)
    let span = Double(keys.upperBound) - least
    let isFew = span < Double(Self.sampleCount * Self.rowsPerSample)
    let statement = try connection.prepare(
      "SELECT count(*), total(\(sizes.joined(separator: " + "))) FROM (SELECT "
        + "\(columns.joined(separator: ", ")) FROM \(name) WHERE rowid >= ?1 ORDER BY rowid LIMIT \(isFew ? -1 : Self.rowsPerSample))"
    )
    var rows = 0.0
    var bytes = 0.0
    for sample in 0..<(isFew ? 1 : Self.sampleCount) {
      let key = least + span * Double(sample) / Double(Self.sampleCount)
      try statement.bind(.integer(Int64(exactly: key.rounded()) ?? keys.lowerBound), at: 1)
      if try statement.step() {
        rows += statement.double(at: 0)
        bytes += statement.double(at: 1)
      }
      statement.reset()
    }
    return rows == 0 ? 0 : bytes / rows + Self.rowOverhead
  }
}
