extension StoreOutline {
  /// What a store looks like that is made by a definition, without its rows.
  ///
  /// The tables and other objects are made in memory, so that nothing is told but what SQLite has made.
  ///
  /// - Parameters:
  ///   - definition: What the store is made of.
  ///   - path: What errors call the store.
  ///   - frameworkVersion: The version of Core Data whose habits it follows.
  ///   - primaryKeys: The rows of `Z_PRIMARYKEY`.
  /// - Throws: ``StoreError`` if SQLite refuses to make something that is taken over.
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
