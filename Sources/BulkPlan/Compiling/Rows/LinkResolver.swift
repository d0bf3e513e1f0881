internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Finds the source relationships that destination relationships continue, and their storage.
struct LinkResolver: Sendable {
  let source: StoreSchema
  let destination: StoreSchema
  private let pairs: [InstanceMapping]
  /// By destination entity.
  private let indexes: [String: [Int]]

  init(source: StoreSchema, destination: StoreSchema, pairs: [InstanceMapping]) {
    self.source = source
    self.destination = destination
    self.pairs = pairs
    indexes = Dictionary(grouping: pairs.indices) { pairs[$0].destination.name }
  }

  /// A relationship that continues none may have an inverse that does.
  func link(of relationship: RelationshipDescription, for pair: InstanceMapping) -> SourceLink? {
    if let key = sourceRelationship(of: relationship.name, for: pair) {
      return SourceLink(key: key, isReversed: false)
    }
    guard let inverse = destination.model.inverse(of: relationship),
      let link = reversedLink(alongInverse: inverse.relationship, of: inverse.owner),
      begins(link, at: pair)
    else { return nil }
    return link
  }

  /// An inverse may have led to others.
  func begins(_ link: SourceLink, at pair: InstanceMapping) -> Bool {
    entities(of: link, atFarEnd: false).contains { $0.name == pair.source.name }
  }

  func linkToOwner(of key: PropertyKey) -> SourceLink? {
    guard let owner = destination.model.entity(named: key.entity),
      let relationship = destination.model.relationship(key)
    else { return nil }
    return reversedLink(alongInverse: relationship, of: owner)
  }

  /// Each once, with the entity pairs that they apply to.
  func links(of key: PropertyKey) -> [(link: SourceLink, pairs: [InstanceMapping])] {
    guard let owner = destination.model.entity(named: key.entity),
      let relationship = destination.model.relationship(key)
    else { return [] }
    var order: [SourceLink] = []
    var members: [SourceLink: [InstanceMapping]] = [:]
    for pair in pairs(in: owner) {
      guard let link = link(of: relationship, for: pair) else { continue }
      if members[link] == nil { order.append(link) }
      members[link, default: []].append(pair)
    }
    return order.map { ($0, members[$0] ?? []) }
  }

  func pairs(in entity: EntityDescription) -> [InstanceMapping] {
    destination.model.hierarchy(from: entity).flatMap { indexes[$0.name] ?? [] }.sorted()
      .map { pairs[$0] }
  }

  /// Pairs may hold in both directions regardless of the source; `nil` where the relationship is not stored.
  func rows(of link: SourceLink, isSymmetric: Bool = false) -> RelationshipRows? {
    guard let rows = source.rows(of: link) else { return nil }
    let isOwnInverse = source.model.isOwnInverse(link.key)
    if rows.isInNearRow {
      // In a to-one relationship that was its own inverse both rows have the other's key.
      return isSymmetric && !isOwnInverse ? rows.unordered.symmetric : rows
    }
    return isSymmetric || isOwnInverse ? rows.symmetric : rows
  }

  /// The lookup from the partner that a row finds along a link, if it could return another row: the pairs of the link
  /// are not one-to-one, and the partner has no key column.
  func ambiguousInverse(_ link: SourceLink, isSymmetric: Bool) -> RelationshipRows? {
    let back = SourceLink(key: link.key, isReversed: !link.isReversed)
    let isUnique = isOneToOne(link) && (!isSymmetric || source.model.isOwnInverse(link.key))
    guard !isUnique, let rows = rows(of: back, isSymmetric: isSymmetric), !rows.isInNearRow else {
      return nil
    }
    return rows
  }

  private func isOneToOne(_ link: SourceLink) -> Bool {
    guard let relationship = source.model.relationship(link.key),
      let inverse = source.model.inverse(of: relationship)
    else { return false }
    return !relationship.isToMany && !inverse.relationship.isToMany
  }

  func entities(of link: SourceLink, atFarEnd isFar: Bool) -> [EntityDescription] {
    guard let relationship = source.model.relationship(link.key) else { return [] }
    let name = isFar == link.isReversed ? link.key.entity : relationship.destinationEntityName
    let all = source.model.entity(named: name).map(source.model.hierarchy) ?? []
    return all.filter { !$0.isAbstract }
  }

  private func sourceRelationship(of name: String, for pair: InstanceMapping) -> PropertyKey? {
    guard
      let sourceName = pair.mapping.relationship(name)?.continuedRelationship,
      let found = source.model.relationship(named: sourceName, of: pair.source)
    else { return nil }
    return PropertyKey(found.owner.name, found.relationship.name)
  }

  private func reversedLink(
    alongInverse inverse: RelationshipDescription,
    of owner: EntityDescription
  ) -> SourceLink? {
    for pair in pairs(in: owner) {
      if let key = sourceRelationship(of: inverse.name, for: pair) {
        return SourceLink(key: key, isReversed: true)
      }
    }
    return nil
  }
}

/// A source relationship from which a destination relationship gets its pairs.
struct SourceLink: Hashable, Sendable {
  let key: PropertyKey
  let isReversed: Bool
}

extension StoreSchema {
  /// As seen from the link's near end; `nil` where the relationship is not stored.
  func rows(of link: SourceLink) -> RelationshipRows? {
    rows(of: link.key).map { link.isReversed ? $0.reversed : $0 }
  }
}
