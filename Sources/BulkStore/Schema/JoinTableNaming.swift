internal import BulkModel

/// What an existing store shows of the names of its join tables.
///
/// Without it they follow from the model (``PropertyOrder``); where a store differs, its own choice is followed.
package struct JoinTableNaming: Sendable {
  /// The relationships that name their join tables, if known.
  ///
  /// They are in the order in which they claim their column names: of two that want one name, the first
  /// gets it unchanged, the other with a suffix.
  package var owners: [PropertyKey]

  /// The join tables of a store whose keys are in another order than Core Data's, by owner.
  package var arrangements: [PropertyKey: JoinTable.Arrangement]

  package init(
    owners: [PropertyKey] = [],
    arrangements: [PropertyKey: JoinTable.Arrangement] = [:]
  ) {
    self.owners = owners
    self.arrangements = arrangements
  }
}
