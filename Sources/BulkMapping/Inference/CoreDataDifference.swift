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

  package var description: String { "\(entity).\(property) \(reason)" }

  /// The differences of an inferred mapping, by destination entity and property.
  package static func all(between models: ModelPair) -> [CoreDataDifference] {
    EntityChanges.all(between: models).flatMap { changes in
      changes.entity.leaves.flatMap(changes.differences)
        + changes.entity.relationships.flatMap(changes.differences)
    }
  }

  /// The demands on rows, a sentence each, by destination entity in the model's order.
  ///
  /// Core Data looks at the rows of an inferred migration when it has moved them: one that violates a demand undoes the
  /// migration (formats/migration.md 2.10, 2.11, 2.16, 3.2).
  package static func rowDemands(between models: ModelPair) -> [String] {
    EntityChanges.all(between: models).flatMap { changes in
      changes.entity.leaves.compactMap(changes.demand)
        + changes.entity.relationships.compactMap(changes.demand) + changes.uniqueness
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

private struct EntityChanges {
  let matching: EntityMatching
  let entity: EntityDescription
  /// The entities that the entity and its descendants continue.
  let sources: [EntityDescription]

  static func all(between models: ModelPair) -> [EntityChanges] {
    let matching = EntityMatching(between: models)
    return models.destination.entities.map { entity in
      let continuing = models.destination.hierarchy(from: entity)
      return EntityChanges(
        matching: matching,
        entity: entity,
        sources: continuing.compactMap { matching.source(of: $0) }
      )
    }
  }

  func differences(of attribute: AttributeDescription) -> [CoreDataDifference] {
    guard
      !attribute.isTransient, !attribute.allowsExternalBinaryDataStorage,
      let before = sources.lazy.compactMap({ matching.attribute(attribute, in: $0) }).first,
      before.allowsExternalBinaryDataStorage
    else { return [] }
    let change = "no longer allows external storage"
    return [refused("2.13", attribute.name, change, "stores the values in the rows")]
  }

  func differences(of relationship: RelationshipDescription) -> [CoreDataDifference] {
    let name = relationship.name
    guard
      !relationship.isTransient,
      let before = sources.lazy.compactMap({ matching.relationship(relationship, in: $0) }).first?
        .relationship
    else { return [] }
    if before.isToMany, !relationship.isToMany {
      return [refused("2.14", name, "becomes to-one", "keeps the first of several objects")]
    }
    if !before.isToMany, before.inverseName == nil,
      relationship.isToMany, relationship.inverseName == nil
    {
      return [refused("2.20", name, "becomes to-many and has no inverse", "keeps the object")]
    }
    return [danglingKeys(relationship, before), positions(relationship, before)].compactMap(\.self)
  }

  /// A to-one relationship that loses some of its objects.
  private func danglingKeys(
    _ relationship: RelationshipDescription,
    _ before: RelationshipDescription
  ) -> CoreDataDifference? {
    guard !relationship.isToMany,
      let target = matching.source.entity(named: before.destinationEntityName)
    else { return nil }
    let old = matching.source.hierarchy(from: target).filter { !$0.isAbstract }
    let new = matching.destination.entity(named: relationship.destinationEntityName)
    let continued = new.map(matching.destination.hierarchy)?.compactMap {
      matching.source(of: $0)?.name
    }
    let removed = old.filter { matching.destination(of: $0) == nil }.map(\.name)
    func keys(_ point: String, _ change: String, _ names: [String]) -> CoreDataDifference {
      let ours = ": Core Data leaves their keys; bulkmigrate sets them to nil"
      return difference(point, relationship.name, change + ours, sources: names)
    }
    if Set(continued ?? []).isDisjoint(with: old.map(\.name)), removed.count < old.count {
      let names = "\(target.name) and now leads to \(relationship.destinationEntityName)"
      return keys("2.17", "led to \(names), which continues none of its objects", old.map(\.name))
    }
    guard !removed.isEmpty else { return nil }
    let names = removed.joined(separator: ", ")
    return keys("4.5", "leads to objects of \(names), which is removed", removed)
  }

  /// An ordered relationship whose members had no positions.
  private func positions(
    _ relationship: RelationshipDescription,
    _ before: RelationshipDescription
  ) -> CoreDataDifference? {
    guard relationship.isOrdered, !before.isOrdered else { return nil }
    let point: String
    switch (
      isManyToMany(before, in: matching.source),
      isManyToMany(relationship, in: matching.destination)
    ) {
    case (false, false) where before.isToMany: point = "4.13"
    case (true, true): point = "4.14"
    case (false, true): point = before.isToMany ? "4.17" : "4.16"
    default: return nil
    }
    return difference(
      point,
      relationship.name,
      "becomes ordered: Core Data gives its members no order that means anything; bulkmigrate puts "
        + "them into the order of their keys",
      sources: sources.map(\.name)
    )
  }

  private func isManyToMany(
    _ relationship: RelationshipDescription,
    in model: ManagedObjectModel
  ) -> Bool {
    relationship.isToMany && model.inverse(of: relationship)?.relationship.isToMany == true
  }

  private func refused(
    _ point: String,
    _ property: String,
    _ change: String,
    _ ours: String
  ) -> CoreDataDifference {
    let reason = "\(change): Core Data refuses this; bulkmigrate \(ours)"
    return difference(point, property, reason, isRefused: true, sources: sources.map(\.name))
  }

  private func difference(
    _ point: String,
    _ property: String,
    _ reason: String,
    isRefused: Bool = false,
    sources: [String]
  ) -> CoreDataDifference {
    CoreDataDifference(
      point: point,
      entity: entity.name,
      property: property,
      reason: reason,
      isRefused: isRefused,
      sources: Set(sources)
    )
  }
}

/// The demands on rows.
extension EntityChanges {
  /// The entities with objects that the entity and its descendants continue.
  private var filledSources: [EntityDescription] { sources.filter { !$0.isAbstract } }

  func demand(of attribute: AttributeDescription) -> String? {
    guard attribute.needsValue else { return nil }
    return demand(attribute.name, " and has no default value") { source in
      matching.attribute(attribute, in: source)?.isOptional
    }
  }

  func demand(of relationship: RelationshipDescription) -> String? {
    guard relationship.isMandatory else { return nil }
    return demand(relationship.name, "") { source in
      matching.relationship(relationship, in: source).map { !$0.relationship.isMandatory }
    }
  }

  /// A demand, where some source entity has no such property, or one that need not have a value.
  private func demand(
    _ property: String,
    _ remark: String,
    mayBeNil: (EntityDescription) -> Bool?
  ) -> String? {
    let states = filledSources.map(mayBeNil)
    let subject = "\(entity.name).\(property)"
    return states.contains(nil)
      ? "\(subject) is new and required\(remark): no object may be there"
      : states.contains(true)
        ? "\(subject) becomes required\(remark): no object may have nil" : nil
  }

  var uniqueness: [String] {
    guard !filledSources.isEmpty else { return [] }
    return entity.uniquenessConstraints.compactMap { constraint in
      let isOld = filledSources.allSatisfy { source in
        let names = Set(constraint.map { name in continued(name, from: source) })
        // A constraint also binds the objects of subentities.
        return matching.source.lineage(of: source).flatMap(\.uniquenessConstraints).contains {
          Set($0.map(Optional.some)) == names
        }
      }
      let subject = "\(entity.name).\(constraint.joined(separator: ", "))"
      return isOld ? nil : "\(subject) becomes unique: no two objects may have equal values"
    }
  }

  /// The name in the source of a property that the entity declares; `nil` where it is new.
  private func continued(_ name: String, from source: EntityDescription) -> String? {
    if let attribute = entity.leaf(named: name) {
      return matching.attribute(attribute, in: source)?.name
    }
    return entity.relationships.first { $0.name == name }
      .flatMap { matching.relationship($0, in: source)?.relationship.name }
  }
}
