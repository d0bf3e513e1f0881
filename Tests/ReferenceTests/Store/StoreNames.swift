import BulkModel

/// The names of tables and columns by which Core Data stores a model (formats/store.md 2 to 5).
///
/// Names of properties are unique in the models of this proof, so no name needs a suffix.
struct StoreNames {
  let model: ModelSketch

  /// The number of an entity, `Z_ENT`.
  func number(of entity: String) -> Int64 {
    Int64(numbered(under: nil).firstIndex(of: entity).map { $0 + 1 } ?? 0)
  }

  /// The entities in the order of their numbers: each, then those under it, by name.
  private func numbered(under parent: String?) -> [String] {
    model.entities.filter { $0.superentityName == parent }.map(\.name)
      .sorted { $0.lowercased() < $1.lowercased() }
      .flatMap { [$0] + numbered(under: $0) }
  }

  /// The table in which the objects of an entity lie.
  func table(of entity: String) -> String { "Z" + model.root(of: entity).uppercased() }

  /// Where a relationship is stored.
  func storage(of relationship: RelationshipDescription) -> RelationshipStorage {
    let inverse = model.inverse(of: relationship)
    if !relationship.isToMany { return .column(column(of: relationship)) }
    guard let inverse else { return .membersColumn(hiddenColumn(of: relationship)) }
    if !inverse.isToMany { return .membersColumn(column(of: inverse)) }
    return .pairs(join(relationship, inverse))
  }

  private func column(of relationship: RelationshipDescription) -> KeyColumn {
    let name = relationship.name.uppercased()
    let entity = relationship.destinationEntityName
    let hasSubentities = model.kinds(of: entity).count > 1
    return KeyColumn(
      name: "Z\(name)",
      entity: hasSubentities ? "Z\(number(of: entity))_\(name)" : nil,
      position: model.inverse(of: relationship)?.isOrdered ?? false ? "Z_FOK_\(name)" : nil
    )
  }

  private func hiddenColumn(of relationship: RelationshipDescription) -> KeyColumn {
    let name = "\(number(of: model.owner(of: relationship)))\(relationship.name.uppercased())"
    return KeyColumn(
      name: "Z\(name)",
      entity: nil,
      position: relationship.isOrdered ? "Z_FOK_\(name)" : nil
    )
  }

  private func join(
    _ relationship: RelationshipDescription,
    _ inverse: RelationshipDescription
  ) -> Join {
    let owner = "\(number(of: model.owner(of: relationship)))\(inverse.name.uppercased())"
    let member =
      "\(number(of: relationship.destinationEntityName))\(relationship.name.uppercased())"
    let isOwnInverse = relationship == inverse
    let name = "\(number(of: model.owner(of: relationship)))\(relationship.name.uppercased())"
    let otherName = "\(number(of: relationship.destinationEntityName))\(inverse.name.uppercased())"
    let memberRest = isOwnInverse ? "REFLEXIVE" : member
    return Join(
      tables: ["Z_" + name, "Z_" + otherName],
      owner: "Z_" + owner,
      member: isOwnInverse ? "REFLEXIVE" : "Z_" + member,
      position: relationship.isOrdered ? "Z_FOK_" + memberRest : nil,
      ownerPosition: inverse.isOrdered && !isOwnInverse ? "Z_FOK_" + owner : nil,
      isOwnInverse: isOwnInverse
    )
  }
}

/// How a relationship is stored.
enum RelationshipStorage: Hashable {
  /// In a column of the owner's row.
  case column(KeyColumn)
  /// In a column of the members' rows, which holds the key of their owner.
  case membersColumn(KeyColumn)
  /// In a table of pairs.
  case pairs(Join)
}

/// A column of keys, and those beside it.
struct KeyColumn: Hashable {
  let name: String
  /// The column of the entity number, where the entity that the key leads to has subentities.
  let entity: String?
  /// The column of the place in an ordered to-many relationship.
  let position: String?
}

/// A join table as one of its two relationships sees it.
struct Join: Hashable {
  /// The names that the table may have, since either relationship may give it.
  let tables: Set<String>
  let owner: String
  let member: String
  let position: String?
  let ownerPosition: String?
  let isOwnInverse: Bool
}
