internal import BulkModel

/// A difference between two mapping models.
package struct MappingDifference: Codable, Hashable, Sendable {
  /// The aspects in which mapping models are compared.
  package enum Aspect: String, Codable, Hashable, Sendable {
    /// Whether there is such an entity mapping.
    case mapping
    /// The type of an entity mapping.
    case type
    /// The entity that it reads.
    case source
    /// The entity that it makes.
    case destination
    /// The objects that it reads.
    case filter
    /// The policy that makes the objects.
    case policy
    /// The collection whose elements become objects.
    case forEach
    /// The attributes in which source objects agree that become one.
    case unique
    /// The source object that is kept of these.
    case keep
    /// The value of an attribute.
    case attribute
    /// The value of a relationship.
    case relationship
    /// Values for the policy.
    case userInfo
    /// The place among the entity mappings, from 1.
    case order
  }

  /// The name of the entity mapping.
  package var mapping: String
  /// The aspect in which the models differ.
  package var aspect: Aspect
  /// The attribute, the relationship or the key of the user info; absent for the entity mapping itself.
  package var name: String?
  /// The first mapping model's statement; absent if it makes none.
  package var before: String?
  /// The second mapping model's statement; absent if it makes none.
  package var after: String?
}

extension MappingModel {
  /// The differences to another mapping model, entity mapping by entity mapping; its statements come second.
  package func differences(to other: MappingModel) -> [MappingDifference] {
    var comparison = MappingComparison()
    let later = Dictionary(firstOf: other.entityMappings.map { ($0.name, $0) })
    let names = Set(entityMappings.map(\.name))
    for one in entityMappings { comparison.compare(one, later[one.name]) }
    for added in other.entityMappings where !names.contains(added.name) {
      comparison.compare(nil, added)
    }
    comparison.compareOrder(
      entityMappings.map(\.name).filter { later[$0] != nil },
      other.entityMappings.map(\.name).filter(names.contains)
    )
    return comparison.differences
  }
}

/// Collects the differences between two mapping models.
private struct MappingComparison {
  private(set) var differences: [MappingDifference] = []
  private var mapping = ""

  mutating func compare(_ one: EntityMapping?, _ other: EntityMapping?) {
    mapping = one?.name ?? other?.name ?? ""
    guard let one, let other else {
      add(.mapping, one?.summary, other?.summary)
      return
    }
    compare(.type, one.kind.name, other.kind.name)
    compare(.source, one.sourceEntityName, other.sourceEntityName)
    compare(.destination, one.destinationEntityName, other.destinationEntityName)
    compare(.filter, one.filter?.description, other.filter?.description)
    compare(.policy, one.entityMigrationPolicyClassName, other.entityMigrationPolicyClassName)
    compare(.forEach, one.elements?.description, other.elements?.description)
    let (rule, theirs) = (one.uniqueness, other.uniqueness)
    compare(
      .unique,
      rule?.attributes.joined(separator: ", "),
      theirs?.attributes.joined(separator: ", ")
    )
    compare(.keep, rule?.kept.rawValue, theirs?.kept.rawValue)
    compare(.attribute, one.attributeMappings, other.attributeMappings)
    compare(.relationship, one.relationshipMappings, other.relationshipMappings)
    compare(one.userInfo, other.userInfo, of: nil)
  }

  /// Reports the entity mappings of both whose order differs, each once.
  mutating func compareOrder(_ ones: [String], _ others: [String]) {
    for (index, name) in ones.enumerated() where others[index] != name {
      guard let place = others.firstIndex(of: name) else { continue }
      mapping = name
      add(.order, String(index + 1), String(place + 1))
    }
  }

  private mutating func compare(
    _ aspect: MappingDifference.Aspect,
    _ ones: [PropertyMapping],
    _ others: [PropertyMapping]
  ) {
    let later = Dictionary(firstOf: others.map { ($0.name, $0) })
    let names = Set(ones.map(\.name))
    for one in ones {
      let other = later[one.name]
      compare(aspect, one.text, other?.text, of: one.name)
      if let other { compare(one.userInfo, other.userInfo, of: one.name) }
    }
    for added in others where !names.contains(added.name) {
      add(aspect, nil, added.text, of: added.name)
    }
  }

  private mutating func compare(
    _ one: [String: AttributeValue],
    _ other: [String: AttributeValue],
    of property: String?
  ) {
    for key in Set(one.keys).union(other.keys).sortedByCodeUnit() where one[key] != other[key] {
      let name = property.map { "\($0).\(key)" } ?? key
      add(.userInfo, one[key]?.json, other[key]?.json, of: name)
    }
  }

  private mutating func compare(
    _ aspect: MappingDifference.Aspect,
    _ one: String?,
    _ other: String?,
    of name: String? = nil
  ) {
    if one != other { add(aspect, one, other, of: name) }
  }

  private mutating func add(
    _ aspect: MappingDifference.Aspect,
    _ before: String?,
    _ after: String?,
    of name: String? = nil
  ) {
    differences.append(
      MappingDifference(mapping: mapping, aspect: aspect, name: name, before: before, after: after)
    )
  }
}

extension EntityMapping {
  /// The entity mapping in a phrase.
  fileprivate var summary: String {
    switch (sourceEntityName, destinationEntityName) {
    case (let source?, let destination?): "\(kind.name) \(source) to \(destination)"
    case (let source?, nil): "\(kind.name) \(source)"
    case (nil, let destination?): "\(kind.name) \(destination)"
    case (nil, nil): kind.name
    }
  }
}

extension PropertyMapping {
  /// The expression, or a phrase for none.
  fileprivate var text: String { valueExpression?.description ?? "the model's default value" }
}
