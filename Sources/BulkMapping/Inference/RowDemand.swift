internal import BulkModel

/// What the rows must satisfy so that Core Data carries out an inferred migration, which it looks at when the rows have
/// moved: a row that violates it undoes the migration (formats/migration.md 2.10, 2.11, 2.16, 3.2).
package struct RowDemand: Hashable, Sendable {
  /// The destination entity.
  package let entity: String
  /// The destination property; for a uniqueness constraint its properties, separated by commas.
  package let property: String
  /// What is required of the rows.
  package let reason: String

  package var description: String { "\(entity).\(property) \(reason)" }

  /// The conditions of an inferred migration, by destination entity in the model's order.
  package static func all(between models: ModelPair) -> [RowDemand] {
    let matching = EntityMatching(between: models)
    return models.destination.entities.flatMap { entity in
      let sources = models.destination.hierarchy(from: entity).compactMap {
        matching.source(of: $0)
      }
      .filter { !$0.isAbstract }
      let conditions = RowDemands(matching: matching, entity: entity, sources: sources)
      return entity.leaves.compactMap(conditions.condition)
        + entity.relationships.compactMap(conditions.condition) + conditions.uniqueness
    }
  }
}

/// The conditions at one destination entity.
private struct RowDemands {
  let matching: EntityMatching
  let entity: EntityDescription
  /// The entities with objects that the entity and its descendants continue.
  let sources: [EntityDescription]

  func condition(of attribute: AttributeDescription) -> RowDemand? {
    guard attribute.needsValue else { return nil }
    return condition(attribute.name, " and has no default value") { source in
      matching.attribute(attribute, in: source)?.isOptional
    }
  }

  func condition(of relationship: RelationshipDescription) -> RowDemand? {
    guard relationship.isMandatory else { return nil }
    return condition(relationship.name, "") { source in
      matching.relationship(relationship, in: source).map { !$0.relationship.isMandatory }
    }
  }

  /// A condition, where some source entity has no such property, or one that need not have a value.
  private func condition(
    _ property: String,
    _ remark: String,
    mayBeNil: (EntityDescription) -> Bool?
  ) -> RowDemand? {
    let states = sources.map(mayBeNil)
    return states.contains(nil)
      ? demand(property, "is new and required\(remark): no object may be there")
      : states.contains(true)
        ? demand(property, "becomes required\(remark): no object may have nil") : nil
  }

  private func demand(_ property: String, _ reason: String) -> RowDemand {
    RowDemand(entity: entity.name, property: property, reason: reason)
  }

  /// The constraints that the source does not have.
  var uniqueness: [RowDemand] {
    guard !sources.isEmpty else { return [] }
    return entity.uniquenessConstraints.compactMap { constraint in
      let isOld = sources.allSatisfy { source in
        let names = Set(constraint.map { name in continued(name, from: source) })
        // A constraint also binds the objects of subentities.
        return matching.source.lineage(of: source).flatMap(\.uniquenessConstraints).contains {
          Set($0.map(Optional.some)) == names
        }
      }
      let property = constraint.joined(separator: ", ")
      return isOld
        ? nil : demand(property, "becomes unique: no two objects may have equal values")
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
