internal import BulkModel

/// Which side of a reflexive many-to-many pair names the join table, and which of its keys comes first.
///
/// Core Data lets the order of a hash table decide, which differs between its versions. A store that
/// is there decides for itself and is followed; only without one the guess is used.
package struct JoinTableNaming: Sendable {
  /// The version number of Core Data that decides between the guesses.
  package var frameworkVersion: Int64
  /// Relationships that name their join table, where that is known.
  ///
  /// They are in the order in which they claim their columns' names: of two that want one name the
  /// first gets it bare, the other with a suffix.
  package var owners: [PropertyKey]

  /// The tables of which a store has the keys in another order than Core Data gives them, by owner.
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
    // Before version 1030 the relationships' names alone are in the hash table, later all
    // properties' (9 of 11 and 13 of 20 pairs fit).
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
