package import BulkModel

/// A store without its rows: enough to find the objects of a model in it.
package struct StoreOutline: Sendable {
  /// The path of the store, or its name in errors if it is not a file.
  package let path: String
  /// The version of Core Data that last wrote it.
  package let frameworkVersion: Int64
  /// The tables and other objects of the file.
  package let schema: FileSchema
  /// The rows of `Z_PRIMARYKEY`, by number.
  package let primaryKeys: [PrimaryKeyEntry]
}

/// The properties of a store, besides its model, that decide on the work of its migration: two
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
  /// The store without its rows.
  ///
  /// - Throws: ``StoreError`` if its keys cannot be read.
  package func outline() throws(StoreError) -> StoreOutline {
    StoreOutline(
      path: path,
      frameworkVersion: metadata.frameworkVersion,
      schema: schema,
      primaryKeys: try primaryKeys()
    )
  }

  /// Finds the schema of a model in the file.
  ///
  /// - Throws: ``StoreError`` that names the entity, the property and the expectation, if the file lacks
  ///   it.
  package func layout(for model: ManagedObjectModel) throws(StoreError) -> StoreLayout {
    try outline().layout(for: model)
  }
}
