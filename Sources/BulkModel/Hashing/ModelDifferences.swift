/// The differences between two models that affect their version hashes.
///
/// Entities and properties are compared by name; renaming identifiers, class names, default values,
/// validation, indexes and user info change no hash and are not compared.
package struct ModelDifferences: Hashable, Sendable {
  /// A line for each difference, such as `Note.title: type String → Integer 64`, in code-unit order
  /// of the entities and properties.
  package let lines: [String]

  /// Compares two models, entity by entity and property by property.
  package init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    let names = Set(source.entities.map(\.name)).union(destination.entities.map(\.name))
    lines = names.sortedByCodeUnit().flatMap { name in
      switch (source.entity(named: name), destination.entity(named: name)) {
      case (let before?, let after?): Self.lines(before, after)
      case (_?, nil): ["\(name): entity removed"]
      case (nil, _): ["\(name): entity added"]
      }
    }
  }

  private static func lines(_ before: EntityDescription, _ after: EntityDescription) -> [String] {
    var changes = SettingChanges(subject: before.name)
    changes.compare("isAbstract", before.isAbstract, after.isAbstract)
    changes.compare("superentity", before.superentityName, after.superentityName)
    changes.compare("versionHashModifier", before.versionHashModifier, after.versionHashModifier)
    changes.compare(
      "uniqueness constraints",
      constraints(of: before),
      constraints(of: after)
    )
    return changes.lines
      + properties(
        of: before.name,
        kind: "attribute",
        before.attributes.keyed(by: \.name),
        after.attributes.keyed(by: \.name)
      ) { attribute($0, $1, of: before.name) }
      + properties(
        of: before.name,
        kind: "relationship",
        before.relationships.keyed(by: \.name),
        after.relationships.keyed(by: \.name)
      ) { relationship($0, $1, of: before.name) }
  }

  private static func constraints(of entity: EntityDescription) -> String? {
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ", ") }
    return constraints.isEmpty
      ? nil : constraints.sortedByCodeUnit().map { "(\($0))" }.joined(separator: " ")
  }

  private static func properties<Property>(
    of entity: String,
    kind: String,
    _ before: [String: Property],
    _ after: [String: Property],
    compare: (Property, Property) -> [String]
  ) -> [String] {
    Set(before.keys).union(after.keys).sortedByCodeUnit().flatMap { key in
      switch (before[key], after[key]) {
      case (let before?, let after?): compare(before, after)
      case (_?, nil): ["\(entity).\(key): \(kind) removed"]
      case (nil, _): ["\(entity).\(key): \(kind) added"]
      }
    }
  }

  private static func attribute(
    _ before: AttributeDescription,
    _ after: AttributeDescription,
    of entity: String
  ) -> [String] {
    var changes = SettingChanges(subject: "\(entity).\(before.name)")
    changes.compare("type", before.attributeType.name, after.attributeType.name)
    changes.compare("isOptional", before.isOptional, after.isOptional)
    changes.compare("isTransient", before.isTransient, after.isTransient)
    changes.compare("isReadOnly", before.isReadOnly, after.isReadOnly)
    changes.compare(
      "allowsExternalBinaryDataStorage",
      before.allowsExternalBinaryDataStorage,
      after.allowsExternalBinaryDataStorage
    )
    changes.compare(
      "preservesValueInHistoryOnDeletion",
      before.preservesValueInHistoryOnDeletion,
      after.preservesValueInHistoryOnDeletion
    )
    changes.compare("versionHashModifier", before.versionHashModifier, after.versionHashModifier)
    changes.compare(
      "derivationExpression",
      before.derivationExpression?.description,
      after.derivationExpression?.description
    )
    return changes.lines
      + properties(
        of: "\(entity).\(before.name)",
        kind: "element",
        before.elements.keyed(by: \.name),
        after.elements.keyed(by: \.name)
      ) {
        attribute($0, $1, of: "\(entity).\(before.name)")
      }
  }

  private static func relationship(
    _ before: RelationshipDescription,
    _ after: RelationshipDescription,
    of entity: String
  ) -> [String] {
    var changes = SettingChanges(subject: "\(entity).\(before.name)")
    changes.compare("destination", before.destinationEntityName, after.destinationEntityName)
    changes.compare("inverse", before.inverseName, after.inverseName)
    changes.compare("isToMany", before.isToMany, after.isToMany)
    changes.compare("isOrdered", before.isOrdered, after.isOrdered)
    changes.compare("isOptional", before.isOptional, after.isOptional)
    changes.compare("isTransient", before.isTransient, after.isTransient)
    changes.compare("isReadOnly", before.isReadOnly, after.isReadOnly)
    changes.compare("minCount", before.minCount, after.minCount)
    changes.compare("maxCount", before.maxCount, after.maxCount)
    changes.compare("versionHashModifier", before.versionHashModifier, after.versionHashModifier)
    return changes.lines
  }
}

/// The differing settings of one element, a line each.
private struct SettingChanges {
  let subject: String
  private(set) var lines: [String] = []

  init(subject: String) { self.subject = subject }

  mutating func compare<Value: LosslessStringConvertible>(
    _ setting: String,
    _ before: Value,
    _ after: Value
  ) {
    compare(setting, Optional(before.description), Optional(after.description))
  }

  mutating func compare(_ setting: String, _ before: String?, _ after: String?) {
    guard before != after else { return }
    lines.append("\(subject): \(setting) \(before ?? "none") → \(after ?? "none")")
  }
}

extension Sequence {
  /// The elements by their names; the first of several with a name.
  fileprivate func keyed(by name: (Element) -> String) -> [String: Element] {
    Dictionary(map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Whether a model can open a store, by the version hashes of the entities.
package struct ModelCompatibility: Hashable, Sendable {
  /// The entities that both have, with different hashes, in code-unit order.
  package let differingEntities: [String]
  /// The entities that the store has and the model lacks, in code-unit order.
  package let missingEntities: [String]
  /// The entities that the model has and the store lacks, in code-unit order.
  package let additionalEntities: [String]

  /// Compares a store's hashes with a model.
  package init(storeHashes: [String: VersionHash], model: ManagedObjectModel) {
    self.init(storeHashes: storeHashes, modelHashes: model.entityVersionHashesByName)
  }

  /// Compares a store's hashes with those of a model.
  package init(storeHashes: [String: VersionHash], modelHashes: [String: VersionHash]) {
    differingEntities =
      modelHashes.filter { name, hash in storeHashes[name].map { $0 != hash } ?? false }
      .keys.sortedByCodeUnit()
    missingEntities = storeHashes.keys.filter { modelHashes[$0] == nil }.sortedByCodeUnit()
    additionalEntities = modelHashes.keys.filter { storeHashes[$0] == nil }.sortedByCodeUnit()
  }

  /// The differences, a line for each entity; none if the model can open the store.
  package var differences: [String] {
    missingEntities.map { "\($0): in the store, not in the model" }
      + additionalEntities.map { "\($0): in the model, not in the store" }
      + differingEntities.map { "\($0): the version hashes differ" }
  }
}
