package import BulkModel
internal import BulkSQLite
internal import Foundation

/// Reads one value of source rows, one row at a time.
package final class SingleValue {
  private let statement: Statement
  private let attribute: AttributeDescription
  private let store: String

  init(
    _ connection: Connection,
    _ value: ColumnExpression,
    of attribute: AttributeDescription,
    in table: String,
    store: String
  ) throws(SQLiteError) {
    statement = try connection.prepare(
      "SELECT \(value.sql) FROM source.\(SQLText.quoted(table)) AS s WHERE s.Z_PK = ?1"
    )
    self.attribute = attribute
    self.store = store
  }

  /// The value for the row with a key; `.null` where there is no such row.
  ///
  /// A binary value that lies in a file beside the store is read from there.
  package func value(at key: Int64) throws -> AttributeValue {
    let found = try StoreError.sqlite { () throws(SQLiteError) in
      try statement.bind(.integer(key), at: 1)
      defer { statement.reset() }
      return try statement.step() ? statement.value(at: 0) : .null
    }
    if attribute.allowsExternalBinaryDataStorage, case .blob(let bytes) = found,
      let name = ExternalBinaryData.fileName(in: bytes)
    {
      let path = ExternalBinaryData.file(name, of: store)
      return .binary([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }
    return ColumnCoding.attributeValue(found, of: attribute)
  }
}

extension StoreWriter {
  /// Prepares the reading of one value of rows of a source table.
  package func singleValue(
    _ value: ColumnExpression,
    of attribute: AttributeDescription,
    in table: String,
    source: String
  ) throws(StoreError) -> SingleValue {
    try StoreError.sqlite { () throws(SQLiteError) in
      try SingleValue(connection, value, of: attribute, in: table, store: source)
    }
  }
}
