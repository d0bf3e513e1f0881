package import BulkModel
internal import BulkSQLite

/// Changes values in a copy of a store.
package final class SourceMending {
  private let session: StoreSession
  private let schema: StoreSchema

  /// Opens a copy of a store.
  ///
  /// - Parameters:
  ///   - path: The copy, which nobody else uses.
  ///   - schema: Its model.
  /// - Throws: ``StoreError`` if it cannot be opened.
  package init(_ path: String, _ schema: StoreSchema) throws(StoreError) {
    session = try StoreSession(
      path: path,
      pageSize: 4096,
      caches: StoreSession.CacheSizes(destination: 2_048, source: 512)
    )
    self.schema = schema
  }

  /// Runs a body that sets values; all of them or none are in the copy afterwards.
  ///
  /// - Throws: ``StoreError`` if the copy cannot be written, and any error of the body.
  package func transaction(_ body: () throws -> Void) throws {
    try session.transactions.batch(body)
  }

  /// Sets the value of an attribute of an object.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - attribute: The attribute's name.
  ///   - entity: The object's entity.
  ///   - key: The object's key.
  /// - Returns: Whether there is such an attribute.
  /// - Throws: ``StoreError`` if the copy cannot be written.
  package func set(
    _ value: AttributeValue,
    for attribute: String,
    of entity: String,
    key: Int64
  ) throws(StoreError) -> Bool {
    guard let found = schema.model.entity(named: entity) else { return false }
    for column in schema.table(of: found).columns {
      guard case .attribute(let name, let path) = column.role, path.isEmpty,
        name.property == attribute,
        schema.model.lineage(of: found).contains(where: { $0.name == name.entity }),
        let description = schema.model.entity(named: name.entity)?.attributes
          .first(where: { $0.name == attribute })
      else { continue }
      let table = SQLText.quoted(schema.table(of: found).name)
      let statement = try session.prepare(
        "UPDATE main.\(table) SET \(SQLText.quoted(column.name)) = ?1 WHERE Z_PK = ?2"
      )
      try StoreError.sqlite { () throws(SQLiteError) in
        try statement.bind(ColumnCoding.value(of: value, in: description), at: 1)
        try statement.bind(.integer(key), at: 2)
        try statement.run()
      }
      return true
    }
    return false
  }
}
