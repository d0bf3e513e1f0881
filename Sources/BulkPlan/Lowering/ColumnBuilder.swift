internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Finds the value of every column of a destination table.
struct ColumnBuilder: Sendable {
  private let source: StoreSchema
  private let destination: StoreSchema
  private let links: LinkResolver
  private let pairs: [EntityPair]
  /// Whether a new attribute's default value goes into every row of its table.
  ///
  /// From version 977 on Core Data adds columns by ALTER TABLE, which gives the default to rows of
  /// other entities too; up to 866 only rows of the attribute's own entities got it.
  private let fillsWholeTable: Bool

  init(
    source: StoreSchema,
    destination: StoreSchema,
    links: LinkResolver,
    pairs: [EntityPair],
    frameworkVersion: Int64
  ) {
    self.source = source
    self.destination = destination
    self.links = links
    self.pairs = pairs
    fillsWholeTable = frameworkVersion >= 977
  }

  /// The value of a column for the rows of some pairs, which are all that fill its table.
  func value(
    of column: SchemaColumn,
    in table: EntityTable,
    pairs: [EntityPair]
  ) -> ColumnExpression {
    switch column.role {
    case .primaryKey: return .column("Z_PK")
    case .version: return .column("Z_OPT")
    case .entity:
      let numbers = pairs.map { ($0.sourceNumber, $0.destinationNumber) }
      return .renumbered(
        .column("Z_ENT"),
        Dictionary(numbers, uniquingKeysWith: { first, _ in first })
      )
    case .unexplained: return .column(column.name)
    case .attribute(let key, let path):
      return attribute(key, path: path, pairs: pairs)
    case .foreignKey(let key): return each(key, pairs, \.key)
    case .foreignEntity(let key): return each(key, pairs, \.entityNumber)
    case .orderKey(let key):
      return destination.model.inverseKey(of: key).map { each($0, pairs, \.place) } ?? .null
    case .hiddenForeignKey(let key): return member(of: key, pairs, \.key)
    case .hiddenOrderKey(let key): return member(of: key, pairs, \.place)
    }
  }

  /// The destination's column of the to-one relationship whose inverse is ordered.
  func toOneColumn(behind owner: PropertyKey) -> String? {
    guard let toOne = destination.model.inverseKey(of: owner) else { return nil }
    return destination.column(.foreignKey(toOne))
  }

  /// Whether members of an ordered relationship come without places.
  func lacksPlaces(_ column: SchemaColumn, in table: EntityTable, pairs: [EntityPair]) -> Bool {
    let key: ColumnExpression
    switch column.role {
    case .orderKey(let owner):
      guard
        let toOne = destination.model.inverseKey(of: owner),
        let keyColumn = table.column(.foreignKey(toOne))
      else { return false }
      key = value(of: keyColumn, in: table, pairs: pairs)
    case .hiddenOrderKey(let owner): key = member(of: owner, pairs, \.key)
    case .primaryKey, .entity, .version, .attribute, .foreignKey, .foreignEntity,
      .hiddenForeignKey, .unexplained:
      return false
    }
    return key != .null
      && value(of: column, in: table, pairs: pairs) == .null
  }

  /// Whether rows come without values of a derived attribute.
  func isComputed(_ key: PropertyKey, pairs: [EntityPair]) -> Bool {
    guard
      let entity = destination.model.entity(named: key.entity),
      let attribute = entity.attributes.first(where: { $0.name == key.property })
    else { return false }
    let names = Set(destination.model.hierarchy(from: entity).map(\.name))
    return pairs.filter { names.contains($0.destination.name) }
      .contains { AttributeSource(attribute, path: [], pair: $0, source: source).isNew }
  }

  // MARK: Attributes

  private func attribute(
    _ key: PropertyKey,
    path: [String],
    pairs: [EntityPair]
  ) -> ColumnExpression {
    guard
      let entity = destination.model.entity(named: key.entity),
      let attribute = entity.attributes.first(where: { $0.name == key.property })
    else { return .null }
    let names = Set(destination.model.hierarchy(from: entity).map(\.name))
    let inside = pairs.filter { names.contains($0.destination.name) }
    let values = inside.map { AttributeSource(attribute, path: path, pair: $0, source: source) }
    if fillsWholeTable && values.allSatisfy(\.isNew) {
      return path.isEmpty ? .defaultValue(of: attribute) : .null
    }
    var byPair = Dictionary(
      zip(inside.map(\.sourceNumber), values.map(\.expression)),
      uniquingKeysWith: { first, _ in first }
    )
    let outside = outsideValue(values, outside: pairs.filter { byPair[$0.sourceNumber] == nil })
    for pair in pairs where byPair[pair.sourceNumber] == nil {
      byPair[pair.sourceNumber] = outside(pair)
    }
    return .combined(byPair)
  }

  /// What the column holds in rows of entities that do not have the attribute: what it held, if it
  /// was no value of theirs then either.
  private func outsideValue(
    _ values: [AttributeSource],
    outside: [EntityPair]
  ) -> (EntityPair) -> ColumnExpression {
    let distinct = Set(values.map(\.expression))
    guard distinct.count == 1, let only = distinct.first, case .column(let name) = only else {
      return { _ in .null }
    }
    return { pair in
      source.columns(of: pair.source).contains(name) ? .null : .column(name)
    }
  }

  // MARK: Relationships

  /// The key of a row's partner, and the number of the partner's entity.
  private struct Partner {
    let key: ColumnExpression
    let entityNumber: ColumnExpression
    /// The row's place in the partner's ordered relationship; NULL where it has none.
    let place: ColumnExpression
  }

  /// A value of the partner of each row that has a to-one relationship.
  private func each(
    _ key: PropertyKey,
    _ pairs: [EntityPair],
    _ value: (Partner) -> ColumnExpression
  ) -> ColumnExpression {
    guard
      let entity = destination.model.entity(named: key.entity),
      let relationship = entity.relationships.first(where: { $0.name == key.property })
    else { return .null }
    return combined(pairs, inside: entity) { pair in
      partner(of: relationship, key, for: pair).map(value) ?? .null
    }
  }

  /// A value of the owner of each row that can be a member of a to-many relationship without inverse.
  private func member(
    of key: PropertyKey,
    _ pairs: [EntityPair],
    _ value: (Partner) -> ColumnExpression
  ) -> ColumnExpression {
    guard
      let owner = destination.model.entity(named: key.entity),
      let relationship = owner.relationships.first(where: { $0.name == key.property }),
      let entity = destination.model.entity(named: relationship.destinationEntityName),
      let link = links.linkToOwner(of: key),
      let partner = partner(along: link, in: owner, near: entity)
    else { return .null }
    return combined(pairs, inside: entity) { _ in value(partner) }
  }

  /// The values of rows of an entity, or of one that inherits from it; others hold NULL.
  private func combined(
    _ pairs: [EntityPair],
    inside entity: EntityDescription,
    _ value: (EntityPair) -> ColumnExpression
  ) -> ColumnExpression {
    let inside = Set(links.pairs(in: entity).map(\.sourceNumber))
    let values = pairs.map { pair in
      (pair.sourceNumber, inside.contains(pair.sourceNumber) ? value(pair) : .null)
    }
    // Rows of entities without the relationship hold NULL, so its expression may be used for them.
    let present = values.filter { inside.contains($0.0) }.map(\.1)
    if Set(present).count == 1, let only = present.first, case .column = only,
      values.count == present.count
        || isFree(only, outside: pairs.filter { !inside.contains($0.sourceNumber) })
    {
      return only
    }
    return .combined(Dictionary(values, uniquingKeysWith: { first, _ in first }))
  }

  /// Whether a source column is none of some entities' own.
  private func isFree(_ expression: ColumnExpression, outside: [EntityPair]) -> Bool {
    guard case .column(let name) = expression else { return false }
    return outside.allSatisfy { !source.columns(of: $0.source).contains(name) }
  }

  private func partner(
    of relationship: RelationshipDescription,
    _ key: PropertyKey,
    for pair: EntityPair
  ) -> Partner? {
    guard
      let link = links.link(of: relationship, for: pair),
      let owner = destination.model.entity(named: key.entity),
      let target = destination.model.entity(named: relationship.destinationEntityName)
    else { return nil }
    let inverse = destination.model.inverse(of: relationship)
    let isOneToOne =
      !relationship.isToMany && inverse.map { !$0.relationship.isToMany } ?? false
    return partner(
      along: link,
      in: target,
      near: owner,
      isOneToOne: isOneToOne,
      isSymmetric: isOneToOne && destination.model.isOwnInverse(key)
    )
  }

  /// The partner of a row along a link.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - target: The entity to which the partner must belong, in the destination.
  ///   - near: The entity to which the row belongs, in the destination.
  ///   - isOneToOne: Whether the two must name each other.
  ///   - isSymmetric: Whether a pair holds in both directions.
  /// - Returns: The partner; `nil` where the link has no columns.
  private func partner(
    along link: SourceLink,
    in target: EntityDescription,
    near: EntityDescription,
    isOneToOne: Bool = false,
    isSymmetric: Bool = false
  ) -> Partner? {
    guard
      let found = links.rows(of: link, isSymmetric: isSymmetric),
      !links.farEntities(of: link).isEmpty
    else { return nil }
    let table = found.farTable
    let far = links.farEntities(of: link)
    let chosen = allowed(far, in: target)
    let row = found.isInNearRow ? found : found.among(chosen)
    var key = row.partnerKey
    var entity = ColumnExpression.entityNumber(ofRowIn: table, key: key)
    if isOneToOne, let back = links.ambiguousWayBack(link, isSymmetric: isSymmetric) {
      // Both sides of a pair must name each other, whichever of them chose.
      key = .mutual(key, back.among(allowed(links.nearEntities(of: link), in: near)))
      entity = .entityNumber(ofRowIn: table, key: key)
    } else if let column = row.farEntityColumn {
      let numbers = far.map { source.numbering.number(of: $0.name) }.sorted()
      entity = .storedEntity(.column(column), key: key, in: table, expected: numbers)
    }
    let entityNumber = ColumnExpression.renumbered(entity, numbers(inTableOf: target))
    let place = row.placeAtPartner
    guard let chosen, row.isInNearRow else {
      return Partner(key: key, entityNumber: entityNumber, place: place)
    }
    func guarded(_ value: ColumnExpression) -> ColumnExpression {
      value == .null ? .null : .onlyIf(value, entityIn: entity, chosen)
    }
    return Partner(
      key: guarded(key),
      entityNumber: guarded(entityNumber),
      place: guarded(place)
    )
  }

  /// The numbers of those source entities whose objects become objects of a destination entity; `nil` if
  /// all do.
  private func allowed(_ entities: [EntityDescription], in target: EntityDescription) -> [Int64]? {
    let kept = Set(links.pairs(in: target).map(\.sourceNumber))
    let all = entities.map { source.numbering.number(of: $0.name) }
    return kept.isSuperset(of: all) ? nil : all.filter(kept.contains).sorted()
  }

  /// The numbers of all entities of a destination table, by the numbers in the source.
  private func numbers(inTableOf entity: EntityDescription) -> [Int64: Int64] {
    Dictionary(
      links.pairs(in: destination.model.root(of: entity)).map {
        ($0.sourceNumber, $0.destinationNumber)
      },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
