internal import BulkModel

/// A change that an inferred mapping carries out although Core Data refuses it, or in another way than Core Data.
///
/// This is the only list of such changes; points are those of formats/migration.md 2 and 4. Its dangling
/// keys of removed objects and its arbitrary orders are not imitated.
package struct CoreDataDifference: Hashable, Sendable {
  /// The statement of formats/migration.md 2 or 4.
  package let point: String
  package let entity: String
  package let property: String
  /// The change, Core Data's treatment of it, and bulkmigrate's.
  package let reason: String
  /// Whether Core Data refuses the change, whatever the rows are.
  package let isRefused: Bool
  /// The source entities whose objects are concerned.
  package let sources: Set<String>

  /// The difference as a sentence.
  package var description: String { "\(entity).\(property) \(reason)" }

  /// The differences of an inferred mapping, by destination entity and property.
  package static func all(between models: ModelPair) -> [CoreDataDifference] {
    let matching = EntityMatching(between: models)
    return models.destination.entities.flatMap { entity in
      let sources = models.destination.hierarchy(from: entity).compactMap {
        matching.source(of: $0)
      }
      func differences(_ name: String) -> PropertyDifferences {
        PropertyDifferences(matching: matching, entity: entity, name: name, sources: sources)
      }
      return entity.leaves.flatMap { differences($0.name).differences(of: $0) }
        + entity.relationships.flatMap { differences($0.name).differences(of: $0) }
    }
  }
}

extension InferenceError {
  /// The refusal of what only Core Data refuses; `nil` without differences of this kind.
  package init?(_ differences: [CoreDataDifference]) {
    let refused = differences.filter(\.isRefused)
    guard !refused.isEmpty else { return nil }
    refusals = refused.map {
      Refusal(entity: $0.entity, property: $0.property, reason: $0.reason)
    }
  }
}

/// The differences at one property of a destination entity.
private struct PropertyDifferences {
  let matching: EntityMatching
  let entity: EntityDescription
  let name: String
  /// The entities that the entity and its descendants continue.
  let sources: [EntityDescription]

  func differences(of attribute: AttributeDescription) -> [CoreDataDifference] {
    guard
      !attribute.isTransient, !attribute.allowsExternalBinaryDataStorage,
      let before = sources.lazy.compactMap({ matching.attribute(attribute, in: $0) }).first,
      before.allowsExternalBinaryDataStorage
    else { return [] }
    return [refused("2.13", "no longer allows external storage", "stores the values in the rows")]
  }

  func differences(of relationship: RelationshipDescription) -> [CoreDataDifference] {
    guard
      !relationship.isTransient,
      let before = sources.lazy.compactMap({ matching.relationship(relationship, in: $0) }).first?
        .relationship
    else { return [] }
    if before.isToMany, !relationship.isToMany {
      return [refused("2.14", "becomes to-one", "keeps the first of several objects")]
    }
    if !before.isToMany, before.inverseName == nil,
      relationship.isToMany, relationship.inverseName == nil
    {
      return [refused("2.20", "becomes to-many and has no inverse", "keeps the object")]
    }
    return danglingKeys(relationship, before) + places(relationship, before)
  }

  /// A to-one relationship that loses some of its objects.
  private func danglingKeys(
    _ relationship: RelationshipDescription,
    _ before: RelationshipDescription
  ) -> [CoreDataDifference] {
    guard !relationship.isToMany,
      let target = matching.source.entity(named: before.destinationEntityName)
    else { return [] }
    let old = matching.source.hierarchy(from: target).filter { !$0.isAbstract }
    let new = matching.destination.entity(named: relationship.destinationEntityName)
    let continued = new.map(matching.destination.hierarchy)?.compactMap {
      matching.source(of: $0)?.name
    }
    let removed = old.filter { matching.destination(of: $0) == nil }.map(\.name)
    if Set(continued ?? []).isDisjoint(with: old.map(\.name)), removed.count < old.count {
      let names = "\(target.name) and now leads to \(relationship.destinationEntityName)"
      return [
        keys("2.17", "led to \(names), which continues none of its objects", Set(old.map(\.name)))
      ]
    }
    guard !removed.isEmpty else { return [] }
    let names = removed.joined(separator: ", ")
    return [keys("4.5", "leads to objects of \(names), which is removed", Set(removed))]
  }

  private func keys(_ point: String, _ change: String, _ sources: Set<String>) -> CoreDataDifference
  {
    CoreDataDifference(
      point: point,
      entity: entity.name,
      property: name,
      reason: "\(change): Core Data leaves their keys; bulkmigrate sets them to nil",
      isRefused: false,
      sources: sources
    )
  }

  /// An ordered relationship whose members had no places.
  private func places(
    _ relationship: RelationshipDescription,
    _ before: RelationshipDescription
  ) -> [CoreDataDifference] {
    let (old, new) = (
      isManyToMany(before, in: matching.source),
      isManyToMany(relationship, in: matching.destination)
    )
    let point: String
    switch (old, new) {
    case (false, false) where before.isToMany: point = "4.13"
    case (true, true): point = "4.14"
    case (false, true): point = before.isToMany ? "4.17" : "4.16"
    default: return []
    }
    guard relationship.isOrdered, !before.isOrdered else { return [] }
    return [
      CoreDataDifference(
        point: point,
        entity: entity.name,
        property: name,
        reason: "becomes ordered: Core Data gives its members no order that means anything; "
          + "bulkmigrate puts them into the order of their keys",
        isRefused: false,
        sources: Set(sources.map(\.name))
      )
    ]
  }

  private func isManyToMany(
    _ relationship: RelationshipDescription,
    in model: ManagedObjectModel
  ) -> Bool {
    relationship.isToMany && model.inverse(of: relationship)?.relationship.isToMany == true
  }

  private func refused(_ point: String, _ change: String, _ ours: String) -> CoreDataDifference {
    CoreDataDifference(
      point: point,
      entity: entity.name,
      property: name,
      reason: "\(change): Core Data refuses this; bulkmigrate \(ours)",
      isRefused: true,
      sources: Set(sources.map(\.name))
    )
  }
}
