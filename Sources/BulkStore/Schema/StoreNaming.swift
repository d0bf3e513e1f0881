/// The names of an existing store that do not follow from the model.
package struct StoreNaming: Sendable {
  /// The relationships that name their join tables, if known; else ``PropertyOrder`` decides.
  ///
  /// They are in the order in which they claim their column names: if two want one name, the first
  /// gets it unchanged, the other with a suffix.
  package var owners: [PropertyKey]

  /// The join tables of a store whose keys are in another order than Core Data's, by owner.
  package var arrangements: [PropertyKey: JoinTable.Arrangement]

  /// The columns of attributes without the leading `Z`, by the attributes' names.
  package var attributes: [String: String]

  package init(
    owners: [PropertyKey] = [],
    arrangements: [PropertyKey: JoinTable.Arrangement] = [:],
    attributes: [String: String] = [:]
  ) {
    self.attributes = attributes
    self.owners = owners
    self.arrangements = arrangements
  }
}
