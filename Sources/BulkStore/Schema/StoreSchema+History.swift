package import BulkModel

/// A bit of the mask of changed columns that the persistent history keeps for an update.
package struct HistoryBit: Hashable, Sendable {
  /// The changed part of a property.
  package enum Part: Hashable, Sendable {
    /// A value, a key, or the members of a collection.
    case value
    /// The number of the entity beside a key.
    case entity
    /// The position in the ordered inverse of a to-one relationship.
    case position
  }

  package let part: Part
  /// The name of the property; of an element of a composite attribute the key path.
  package let property: String

  package init(_ part: Part, _ property: String) { (self.part, self.property) = (part, property) }
}

extension StoreSchema {
  /// The bits of the masks of an entity's updates; the first is the highest bit of the first byte.
  ///
  /// Keys, entity numbers, positions, attributes, to-many relationships, many-to-many ones; each in
  /// code-unit order of names, inherited ones included (formats/store.md 10.4). A member's key
  /// for a relationship without inverse has none.
  package func historyBits(of entity: EntityDescription) -> [HistoryBit] {
    let relationships = model.relationships(of: entity).filter { !$0.isTransient }
    let toOne = relationships.filter { !$0.isToMany }
    let numbered = toOne.filter { relationship in
      model.entity(named: relationship.destinationEntityName)
        .map { !model.subentities(of: $0).isEmpty } ?? false
    }
    let placed = toOne.filter { relationship in
      model.inverse(of: relationship).map { $0.relationship.isToMany && $0.relationship.isOrdered }
        ?? false
    }
    let toMany = relationships.filter(\.isToMany)
    let paired = toMany.filter { model.inverse(of: $0)?.relationship.isToMany == true }
    let others = toMany.filter { model.inverse(of: $0)?.relationship.isToMany != true }
    let attributes = model.attributes(of: entity).filter { !$0.isTransient }
    return toOne.map { HistoryBit(.value, $0.name) }
      + numbered.map { HistoryBit(.entity, $0.name) }
      + placed.map { HistoryBit(.position, $0.name) }
      + attributes.map { HistoryBit(.value, $0.name) }
      + (others + paired).map { HistoryBit(.value, $0.name) }
  }
}

extension ManagedObjectModel {
  /// The key of the user info of an entity that names the first of its tombstones.
  private static let tombstoneKey = "NSPersistentHistoryTombstoneAttributes"
  private static let tombstoneLimit = 100

  /// The attributes whose values the persistent history keeps when an object is deleted, in the order of the tombstone
  /// columns.
  ///
  /// Of an entity, then of its superentity and so on: those that the user info names, then those that are preserved,
  /// inherited ones included, in code-unit order of names; each once (formats/store.md 10.3).
  package func tombstones(of entity: EntityDescription) -> [String] {
    var result: [String] = []
    for entity in lineage(of: entity) {
      let all = lineage(of: entity).flatMap(\.attributes)
      let named = (entity.userInfo[Self.tombstoneKey] ?? "").split(separator: ",")
        .map { $0.filter { !$0.isWhitespace } }
      let known = named.filter { name in all.contains { $0.name == name } }
      let preserved = all.filter(\.preservesValueInHistoryOnDeletion).map(\.name)
      for name in known + preserved.sortedByCodeUnit() where !result.contains(name) {
        result.append(name)
      }
    }
    return Array(result.prefix(Self.tombstoneLimit))
  }
}
