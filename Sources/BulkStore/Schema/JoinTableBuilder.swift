internal import BulkModel

/// Lays out the join tables of a model.
struct JoinTableBuilder {
  let model: ManagedObjectModel
  let numbering: EntityNumbering
  /// The relationships that claim their names before all others, see ``StoreNaming/owners``.
  let owners: [PropertyKey]

  /// The join tables in the order of their owners' numbers.
  ///
  /// Entities are visited by name without regard to case, a superentity always before its subentities; the
  /// side of a pair that is visited first owns it. Source: 297 of 297 pairs.
  func tables() -> [JoinTable] {
    var names = Names()
    var result: [JoinTable] = []
    var claimed: Set<PropertyKey> = []
    for entity in visitingOrder() {
      for relationship in toManyRelationships(of: entity) {
        let key = PropertyKey(entity.name, relationship.name)
        guard
          !claimed.contains(key),
          let inverse = model.storedInverse(of: relationship), inverse.relationship.isToMany
        else { continue }
        claimed.insert(key)
        claimed.insert(inverse.key)
        result.append(table(owner: key, relationship, inverse, names: &names))
      }
    }
    return result.sorted {
      let first = numbering.number(of: $0.owner.entity)
      let second = numbering.number(of: $1.owner.entity)
      return first == second
        ? CodeUnitOrder.precedes($0.name, $1.name) : first < second
    }
  }

  /// In the order in which they may claim a join table.
  private func toManyRelationships(of entity: EntityDescription) -> [RelationshipDescription] {
    let all = entity.relationships.filter { $0.isToMany && !$0.isTransient }
    guard all.count > 1 else { return all }
    let first = owners.filter { $0.entity == entity.name }.map(\.property)
    let names = first + PropertyOrder(model: model, numbering: numbering).keys(of: entity)
    let rank = Dictionary(zip(names, names.indices), uniquingKeysWith: min)
    return all.sorted { rank[$0.name, default: 0] < rank[$1.name, default: 0] }
  }

  /// The names used so far: columns are unique in one entity, tables in the model.
  private struct Names {
    var columns: [String: ColumnNames] = [:]
    var tables = ColumnNames()
  }

  private func table(
    owner: PropertyKey,
    _ relationship: RelationshipDescription,
    _ other: (key: PropertyKey, relationship: RelationshipDescription),
    names: inout Names
  ) -> JoinTable {
    let inverse = other.key
    let isOwnInverse = owner == inverse
    let first = base(of: owner.entity, inverse.property)
    let second = isOwnInverse ? "REFLEXIVE" : base(of: inverse.entity, owner.property)
    return JoinTable(
      owner: owner,
      inverse: inverse,
      name: names.tables.unique(base(of: owner.entity, owner.property)),
      ownerColumn: names.columns[owner.entity, default: ColumnNames()].unique(first),
      memberColumn: isOwnInverse
        ? second : names.columns[inverse.entity, default: ColumnNames()].unique(second),
      ownerBase: first,
      memberBase: second,
      ordersMembers: relationship.isOrdered,
      ordersOwners: other.relationship.isOrdered && !isOwnInverse
    )
  }

  private func base(of entity: String, _ property: String) -> String {
    "Z_\(numbering.number(of: entity))\(property.uppercased())"
  }

  private func visitingOrder() -> [EntityDescription] {
    var seen: Set<String> = []
    return EntityNumbering.sorted(model.entities).flatMap { entity in
      model.lineage(of: entity).reversed().filter { seen.insert($0.name).inserted }
    }
  }
}
