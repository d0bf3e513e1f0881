/// The differences between two models that affect their version hashes.
///
/// Entities and properties are compared by name; renaming identifiers, class names, default values,
/// validation, indexes and user info change no hash and are not compared.
package struct ModelDifferences: Hashable, Sendable {
  /// A line for each difference, such as `Note.title: type String → Integer 64`, in code-unit order
  /// of the entities and properties.
  package let lines: [String]

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
    var changes = SettingChanges(subject: before.name, before: before, after: after)
    changes.compare(EntityDescription.settings)
    return changes.lines
      + changes.parts("attribute", \.attributes, named: \.name, compare: attribute)
      + changes.parts("relationship", \.relationships, named: \.name, compare: relationship)
  }

  private static func attribute(_ found: SettingChanges<AttributeDescription>) -> [String] {
    var changes = found
    changes.compare("type", \.attributeType.name)
    changes.compare(AttributeDescription.settings)
    changes.compare("derivationExpression", \.derivationExpression?.description)
    return changes.lines + changes.parts("element", \.elements, named: \.name, compare: attribute)
  }

  private static func relationship(_ found: SettingChanges<RelationshipDescription>) -> [String] {
    var changes = found
    changes.compare("destination", \.destinationEntityName)
    changes.compare(RelationshipDescription.settings)
    return changes.lines
  }
}

/// The differing settings of one element of a model, a line each.
private struct SettingChanges<Element> {
  let subject: String
  let before: Element
  let after: Element
  private(set) var lines: [String] = []

  mutating func compare(_ settings: [ModelSetting<Element>]) {
    for setting in settings {
      if let name = setting.hashed { compare(name, setting.text) }
    }
  }

  mutating func compare(_ setting: String, _ text: (Element) -> String?) {
    let texts = [before, after].map(text)
    guard texts[0] != texts[1] else { return }
    lines.append("\(subject): \(setting) \(texts[0] ?? "none") → \(texts[1] ?? "none")")
  }

  /// The differences of parts by their names, of several with one name those of the first; and parts that only one has.
  func parts<Part>(
    _ kind: String,
    _ parts: (Element) -> [Part],
    named name: (Part) -> String,
    compare: (SettingChanges<Part>) -> [String]
  ) -> [String] {
    let known = [before, after].map { element in
      Dictionary(firstOf: parts(element).map { (name($0), $0) })
    }
    return Set(known.flatMap(\.keys)).sortedByCodeUnit().flatMap { key in
      switch (known[0][key], known[1][key]) {
      case (let before?, let after?):
        compare(SettingChanges<Part>(subject: "\(subject).\(key)", before: before, after: after))
      case (_?, nil): ["\(subject).\(key): \(kind) removed"]
      case (nil, _): ["\(subject).\(key): \(kind) added"]
      }
    }
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

  package init(storeHashes: [String: VersionHash], model: ManagedObjectModel) {
    self.init(storeHashes: storeHashes, modelHashes: model.entityVersionHashesByName)
  }

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
