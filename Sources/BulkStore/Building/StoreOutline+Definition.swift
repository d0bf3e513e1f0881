extension StoreOutline {
  /// The outline of the store that a definition makes.
  ///
  /// The tables and other objects are made in memory, so the outline describes what SQLite really makes.
  ///
  /// - Parameters:
  ///   - definition: The definition of the store.
  ///   - path: The name of the store in errors.
  ///   - frameworkVersion: The version of Core Data to imitate.
  ///   - primaryKeys: The rows of `Z_PRIMARYKEY`.
  /// - Throws: ``StoreError`` if SQLite refuses to make a copied object.
  package init(
    of definition: StoreDefinition,
    path: String,
    frameworkVersion: Int64,
    primaryKeys: [PrimaryKeyEntry]
  ) throws(StoreError) {
    let builder = StoreBuilder(try StoreSession(inMemoryFor: path))
    try builder.createEmpty(definition)
    self.init(
      path: path,
      frameworkVersion: frameworkVersion,
      schema: try builder.schema(),
      primaryKeys: primaryKeys
    )
  }
}
