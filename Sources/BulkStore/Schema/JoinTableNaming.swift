internal import BulkModel

/// Which side of a reflexive many-to-many pair names the join table, and which of its keys comes first.
///
/// Core Data uses the order of a hash table, which differs between its versions. An existing store shows
/// its own choice, which is followed; the guess is used only without one.
package struct JoinTableNaming: Sendable {
  /// The version number of Core Data that decides between the guesses.
  package var frameworkVersion: Int64
  /// The relationships that name their join tables, if known.
  ///
  /// They are in the order in which they claim their column names: of two that want one name, the first
  /// gets it unchanged, the other with a suffix.
  package var owners: [PropertyKey]

  /// The join tables of a store whose keys are in another order than Core Data's, by owner.
  package var arrangements: [PropertyKey: JoinTable.Arrangement]

  package init(
    frameworkVersion: Int64,
    owners: [PropertyKey] = [],
    arrangements: [PropertyKey: JoinTable.Arrangement] = [:]
  ) {
    self.frameworkVersion = frameworkVersion
    self.owners = owners
    self.arrangements = arrangements
  }

  /// The to-many relationships of an entity in the order in which they may claim a join table.
  func order(
    of relationships: [RelationshipDescription],
    in entity: EntityDescription
  ) -> [RelationshipDescription] {
    // Before version 1030 only relationship names are in the hash table, later those of all properties (9
    // of 11 and 13 of 20 pairs fit).
    var names = entity.relationships.map(\.name)
    if frameworkVersion >= 1030 {
      names += entity.attributes.map(\.name) + entity.fetchedProperties.map(\.name)
    }
    let guess = FoundationDictionaryOrder.sorted(names)
    let known = owners.filter { $0.entity == entity.name }.map(\.property)
    let other = guess.filter { !known.contains($0) }
    let place = Dictionary(
      (known + other).enumerated().map { ($1, $0) },
      uniquingKeysWith: min
    )
    return relationships.sorted { place[$0.name, default: 0] < place[$1.name, default: 0] }
  }
}
