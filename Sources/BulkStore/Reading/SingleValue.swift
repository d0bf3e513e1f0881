package import BulkModel
internal import BulkSQLite
internal import BulkPlatform

/// Reads one value of source rows, one row at a time.
package final class SingleValue {
  private let statement: Statement
  private let attribute: AttributeDescription
  private let store: String

  /// Prepares to read a value of the rows of a source table.
  ///
  /// - Throws: ``StoreError`` if the source lacks what the value needs.
  package init(
    _ value: ColumnExpression,
    of attribute: AttributeDescription,
    in table: String,
    store: String,
    _ session: StoreSession
  ) throws(StoreError) {
    statement = try session.prepare(
      "SELECT \(value.sql) FROM source.\(SQLText.quoted(table)) AS s WHERE s.Z_PK = ?1"
    )
    self.attribute = attribute
    self.store = store
  }

  /// The value for the row with a key; `.null` if the row does not exist.
  ///
  /// A binary value in a file beside the store is read from there.
  package func value(at key: Int64) throws -> AttributeValue {
    try statement.bind(.integer(key), at: 1)
    defer { statement.reset() }
    let found = try statement.step() ? statement.value(at: 0) : .null
    if attribute.allowsExternalBinaryDataStorage, case .blob(let bytes) = found,
      let name = ExternalBinaryData.fileName(in: bytes)
    {
      let path = ExternalBinaryData.file(name, of: store)
      return .binary([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }
    return ColumnCoding.attributeValue(found, of: attribute)
  }
}
