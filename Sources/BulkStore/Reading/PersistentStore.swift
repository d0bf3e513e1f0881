package import BulkCoding
package import BulkModel
package import BulkSQLite

/// A store of Core Data, open for reading.
///
/// The file and what lies beside it are not touched; see ``Connection/Access/source``.
package final class PersistentStore {
  /// Where the store lies.
  package let path: String
  /// The file's header.
  package let header: DatabaseFile
  /// What the store says of itself.
  package let metadata: StoreMetadata
  /// The tables and other objects of the file.
  package let schema: FileSchema
  let connection: Connection

  /// Opens a store and reads its metadata and schema, but no row.
  package init(path: String) throws(StoreError) {
    self.path = path
    do throws(SQLiteError) {
      header = try DatabaseFile(path: path)
      connection = try Connection(path: path, access: .source)
      schema = try FileSchema(connection)
    } catch {
      throw .sqlite(error)
    }
    for table in ["Z_METADATA", "Z_PRIMARYKEY"] where schema.table(named: table) == nil {
      throw .notAStore(path: path, missingTable: table)
    }
    metadata = try Self.metadata(connection)
  }

  /// Which state of which file this is.
  package var identity: StoreIdentity { StoreIdentity(header) }

  /// The model that the store keeps of itself; `nil` if it keeps none, as stores of old frameworks do.
  package func cachedModel() throws(StoreError) -> ManagedObjectModel? {
    guard schema.table(named: "Z_MODELCACHE") != nil else { return nil }
    let value = try sqlite { () throws(SQLiteError) in
      try connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")
    }
    guard case .blob(let bytes) = value, !bytes.isEmpty else { return nil }
    do {
      return try ModelCache.model(from: bytes)
    } catch let error as ModelError {
      throw .badModelCache(error, path: path)
    } catch {
      throw .badModelCache(
        .notAModel(path: "Z_MODELCACHE", reason: String(describing: error)), path: path)
    }
  }

  /// The rows of `Z_PRIMARYKEY`, by number.
  package func primaryKeys() throws(StoreError) -> [PrimaryKeyEntry] {
    try sqlite { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
      var result: [PrimaryKeyEntry] = []
      while try statement.step() {
        result.append(
          PrimaryKeyEntry(
            number: statement.int64(at: 0), name: statement.text(at: 1),
            superentity: statement.int64(at: 2), highestKey: statement.int64(at: 3)))
      }
      return result
    }
  }

  /// The number of rows of a table for every entity number that occurs; `nil` stands for a value of
  /// `Z_ENT` that is no integer.
  package func rowsByEntity(in table: String) throws(StoreError) -> [Int64?: Int64] {
    try sqlite { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "SELECT Z_ENT, count(*) FROM \(SQLText.quoted(table)) GROUP BY Z_ENT")
      var result: [Int64?: Int64] = [:]
      while try statement.step() {
        let isNumber = statement.storageClass(at: 0) == .integer
        result[isNumber ? statement.int64(at: 0) : nil, default: 0] += statement.int64(at: 1)
      }
      return result
    }
  }

  /// The number of rows of a table.
  package func rows(in table: String) throws(StoreError) -> Int64 {
    try integer("SELECT count(*) FROM \(SQLText.quoted(table))") ?? 0
  }

  /// The highest key of a table; 0 if it is empty.
  package func highestKey(in table: String) throws(StoreError) -> Int64 {
    try integer("SELECT max(rowid) FROM \(SQLText.quoted(table))") ?? 0
  }

  /// The rows of a table that an expression over its columns counts, for example the pairs that a
  /// relationship loses.
  package func integer(_ sql: String) throws(StoreError) -> Int64? {
    let value = try sqlite { () throws(SQLiteError) in try connection.value(sql) }
    guard case .integer(let number) = value else { return nil }
    return number
  }

  /// The mean size of a table's rows in bytes, from a sample of at most 1,024 rows.
  package func meanRowSize(in table: FileTable) throws(StoreError) -> Double {
    guard table.hasRowID, !table.columns.isEmpty else { return 0 }
    return try sqlite { () throws(SQLiteError) in
      try RowSample(connection, table: table).meanSize()
    }
  }

  func sqlite<T>(_ body: () throws(SQLiteError) -> T) throws(StoreError) -> T {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw .sqlite(error)
    }
  }

  private static func metadata(_ connection: Connection) throws(StoreError) -> StoreMetadata {
    let uuid: String
    let bytes: [UInt8]
    do throws(SQLiteError) {
      let count = try connection.value("SELECT count(*) FROM Z_METADATA")
      if case .integer(let rows) = count, rows != 1 {
        throw StoreError.metadataRows(rows, path: connection.path)
      }
      let statement = try connection.prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
      _ = try statement.step()
      uuid = statement.text(at: 0)
      bytes = statement.blob(at: 1)
    } catch {
      throw .sqlite(error)
    }
    let list: PropertyList
    do throws(CodingError) {
      list = try PropertyList(bytes)
    } catch {
      throw .damaged("the property list of Z_METADATA", path: connection.path, reason: error)
    }
    guard case .dictionary(let entries) = list else {
      throw .badMetadata(key: "(the whole is no dictionary)", path: connection.path)
    }
    guard case .dictionary = entries["NSStoreModelVersionHashes"] else {
      throw .badMetadata(key: "NSStoreModelVersionHashes", path: connection.path)
    }
    return StoreMetadata(uuid: uuid, entries: entries)
  }
}
