internal import BulkModel

/// A difference between two mapping models.
package struct MappingDifference: Codable, Hashable, Sendable {
  package enum Aspect: String, Codable, Hashable, Sendable {
    /// Whether there is such an entity mapping.
    case mapping
    case type
    case source
    case destination
    /// The objects that it reads.
    case filter
    case policy
    /// The collection whose elements become objects.
    case forEach
    /// The attributes in which source objects agree that become one.
    case unique
    /// The source object that is kept of these.
    case keep
    case attribute
    case relationship
    /// Values for the policy.
    case userInfo
    /// The index among the entity mappings, from 1.
    case order
  }

  package var mapping: String
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
    let later = Dictionary(firstOf: other.entityMappings.map { ($0.name, $0) })
    let names = Set(entityMappings.map(\.name))
    let kept = entityMappings.flatMap { one in
      later[one.name].map(one.differences) ?? [one.difference(.mapping, one.summary, nil)]
    }
    let added = other.entityMappings.filter { !names.contains($0.name) }
      .map { $0.difference(.mapping, nil, $0.summary) }
    let order = other.entityMappings.filter { names.contains($0.name) }.map(\.name)
    let moved = zip(1..., entityMappings.filter { later[$0.name] != nil })
      .compactMap { index, one -> MappingDifference? in
        guard order[index - 1] != one.name, let other = order.firstIndex(of: one.name) else {
          return nil
        }
        return one.difference(.order, String(index), String(other + 1))
      }
    return kept + added + moved
  }
}

extension EntityMapping {
  private struct Subject: Hashable {
    let aspect: MappingDifference.Aspect
    var name: String?
  }

  /// What the mapping states, in groups, each in the order in which differences are listed.
  private var facts: [[(subject: Subject, text: String?)]] {
    let own: [(MappingDifference.Aspect, String?)] = [
      (.type, kind.name), (.source, sourceEntityName), (.destination, destinationEntityName),
      (.filter, filter?.description), (.policy, entityMigrationPolicyClassName),
      (.forEach, elements?.description),
      (.unique, uniqueness?.attributes.joined(separator: ", ")),
      (.keep, uniqueness?.kept.rawValue),
    ]
    return [
      own.map { (Subject(aspect: $0), $1) },
      attributeMappings.flatMap { Self.facts(.attribute, $0) },
      relationshipMappings.flatMap { Self.facts(.relationship, $0) },
      Self.facts(userInfo, ""),
    ]
  }

  private static func facts(
    _ aspect: MappingDifference.Aspect,
    _ property: PropertyMapping
  ) -> [(subject: Subject, text: String?)] {
    let text = property.valueExpression?.description ?? "the model's default value"
    return [(Subject(aspect: aspect, name: property.name), text)]
      + facts(property.userInfo, "\(property.name).")
  }

  private static func facts(
    _ userInfo: [String: AttributeValue],
    _ prefix: String
  ) -> [(subject: Subject, text: String?)] {
    userInfo.keys.sortedByCodeUnit().map {
      (Subject(aspect: .userInfo, name: prefix + $0), userInfo[$0]?.json)
    }
  }

  fileprivate func differences(to other: EntityMapping) -> [MappingDifference] {
    zip(facts, other.facts).flatMap { ones, others in
      let before = Dictionary(firstOf: ones.map { ($0.subject, $0.text) })
      let after = Dictionary(firstOf: others.map { ($0.subject, $0.text) })
      let added = others.map(\.subject).filter { before[$0] == nil }
      return (ones.map(\.subject) + added).compactMap { subject in
        let (one, other) = (before[subject] ?? nil, after[subject] ?? nil)
        return one == other ? nil : difference(subject.aspect, of: subject.name, one, other)
      }
    }
  }

  fileprivate func difference(
    _ aspect: MappingDifference.Aspect,
    of property: String? = nil,
    _ before: String?,
    _ after: String?
  ) -> MappingDifference {
    MappingDifference(mapping: name, aspect: aspect, name: property, before: before, after: after)
  }

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
