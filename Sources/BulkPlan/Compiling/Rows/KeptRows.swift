internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The rows of a destination table that keep the keys of the source rows from which they are made.
///
/// One source table fills the table, with the objects of several entities; the entity of the source row
/// selects what differs among them.
struct KeptRows: RowColumns {
  private let source: StoreSchema
  let destination: StoreSchema
  private let links: LinkResolver
  private let pairs: [InstanceMapping]
  /// By the number of the entity.
  private let columns: [Int64: Set<String>]
  /// Whether every row of a table gets the default value of a new attribute.
  ///
  /// From version 977 Core Data adds columns by ALTER TABLE, which gives the default to rows of
  /// other entities too; up to 866 only rows of the attribute's own entities got it.
  private let fillsWholeTable: Bool

  init(
    of pairs: [InstanceMapping],
    from source: StoreSchema,
    to destination: StoreSchema,
    links: LinkResolver,
    frameworkVersion: Int64
  ) {
    self.pairs = pairs
    self.source = source
    self.destination = destination
    self.links = links
    columns = Dictionary(firstOf: pairs.map { ($0.sourceNumber, source.columns(of: $0.source)) })
    fillsWholeTable = frameworkVersion >= 977
  }

  let key = ColumnExpression.column("Z_PK")
  let version = ColumnExpression.column("Z_OPT")

  var entityNumber: ColumnExpression {
    .renumbered(
      .column("Z_ENT"),
      Dictionary(firstOf: pairs.map { ($0.sourceNumber, $0.destinationNumber) })
    )
  }

  func unmanaged(_ column: String) -> ColumnExpression { .column(column) }

  func lacksPositions(_ column: SchemaColumn, in table: EntityTable) -> Bool {
    let key: ColumnExpression
    switch column.role {
    case .orderKey(let owner):
      guard let toOne = destination.model.inverseKey(of: owner),
        table.column(.foreignKey(toOne)) != nil
      else { return false }
      key = partner(along: toOne).key
    case .hiddenOrderKey(let owner): key = self.owner(of: owner).key
    default: return false
    }
    return key != .null && value(of: column) == .null
  }

  func attribute(_ key: PropertyKey, in column: String) -> ColumnExpression {
    guard let entity = destination.model.entity(named: key.entity),
      let attribute = destination.model.attribute(key)
    else { return .null }
    let names = Set(destination.model.hierarchy(from: entity).map(\.name))
    let inside = pairs.filter { names.contains($0.destination.name) }
    let initial = ColumnExpression.defaultValue(of: attribute)
    let values = inside.map {
      AttributeCompiler(source, of: $0.source).kept(meaning(of: attribute, $0), of: attribute)
    }
    if fillsWholeTable && values.allSatisfy({ $0 == nil }) { return initial }
    var byPair = Dictionary(firstOf: zip(inside.map(\.sourceNumber), values.map { $0 ?? initial }))
    let known = Set(byPair.values)
    for pair in pairs where byPair[pair.sourceNumber] == nil {
      byPair[pair.sourceNumber] = outsideValue(known, pair)
    }
    return .combined(byPair)
  }

  private func meaning(
    of attribute: AttributeDescription,
    _ pair: InstanceMapping
  ) -> AttributeMeaning {
    guard attribute.isDerived else { return pair.mapping.attribute(attribute.name) }
    // It is computed when all rows are there; by the same derivation few values change then.
    let former = source.model.leaf(named: attribute.name, of: pair.source)?.attribute
    return former?.derivationExpression == attribute.derivationExpression
      ? .copy(attribute.name) : .defaultValue
  }

  /// The old value in rows of entities without the attribute, if that did not belong to them either.
  private func outsideValue(
    _ values: Set<ColumnExpression>,
    _ pair: InstanceMapping
  ) -> ColumnExpression {
    guard values.count == 1, case .column(let name)? = values.first, !uses(name, pair) else {
      return .null
    }
    return .column(name)
  }

  private func uses(_ column: String, _ pair: InstanceMapping) -> Bool {
    columns[pair.sourceNumber]?.contains(column) == true
  }

  func partner(along key: PropertyKey) -> Partner {
    guard let entity = destination.model.entity(named: key.entity),
      let relationship = destination.model.relationship(key)
    else { return .none }
    return combined(inside: entity) { partner(of: relationship, key, for: $0) ?? .none }
  }

  func owner(of key: PropertyKey) -> Partner {
    let target = destination.model.relationship(key)?.destinationEntityName
    guard let owner = destination.model.entity(named: key.entity),
      let entity = destination.model.entity(named: target),
      let link = links.linkToOwner(of: key),
      let partner = partner(along: link, in: owner, near: entity)
    else { return .none }
    return combined(inside: entity) { links.begins(link, at: $0) ? partner : .none }
  }

  /// Other rows have none.
  private func combined(
    inside entity: EntityDescription,
    _ partner: (InstanceMapping) -> Partner
  ) -> Partner {
    let inside = Set(links.pairs(in: entity).map(\.sourceNumber))
    let partners = pairs.map { inside.contains($0.sourceNumber) ? partner($0) : nil }
    func value(_ path: KeyPath<Partner, ColumnExpression>) -> ColumnExpression {
      combined(partners.map { $0?[keyPath: path] })
    }
    return Partner(
      key: value(\.key),
      entityNumber: value(\.entityNumber),
      position: value(\.position)
    )
  }

  /// NULL for pairs without a value.
  private func combined(_ values: [ColumnExpression?]) -> ColumnExpression {
    let present = values.compactMap(\.self)
    let outside = zip(pairs, values).filter { $0.1 == nil }.map(\.0)
    // The column is NULL in rows of entities without the relationship, so it may be used for them.
    if Set(present).count == 1, let only = present.first, case .column(let name) = only,
      outside.allSatisfy({ !uses(name, $0) })
    {
      return only
    }
    return .combined(
      Dictionary(firstOf: zip(pairs.map(\.sourceNumber), values.map { $0 ?? .null }))
    )
  }

  private func partner(
    of relationship: RelationshipDescription,
    _ key: PropertyKey,
    for pair: InstanceMapping
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

  /// The partner of a row along a link; `nil` where the link has no columns.
  ///
  /// `target` and `near` are entities of the destination. Of one-to-one relationships the two must name each
  /// other; a symmetric pair holds in both directions.
  private func partner(
    along link: SourceLink,
    in target: EntityDescription,
    near: EntityDescription,
    isOneToOne: Bool = false,
    isSymmetric: Bool = false
  ) -> Partner? {
    let far = links.entities(of: link, atFarEnd: true)
    guard let found = links.rows(of: link, isSymmetric: isSymmetric), !far.isEmpty else {
      return nil
    }
    let table = found.farTable
    let chosen = allowed(far, in: target)
    let row = found.isInNearRow ? found : found.among(chosen)
    var key = row.partnerKey
    var entity = ColumnExpression.entityNumber(ofRowIn: table, key: key)
    if isOneToOne, let back = links.ambiguousInverse(link, isSymmetric: isSymmetric) {
      // Both sides of a pair must name each other, whichever of them was chosen.
      key = .mutual(key, back.among(allowed(links.entities(of: link, atFarEnd: false), in: near)))
      entity = .entityNumber(ofRowIn: table, key: key)
    } else if let column = row.farEntityColumn {
      let numbers = far.map { source.numbering.number(of: $0.name) }.sorted()
      entity = .storedEntity(.column(column), key: key, in: table, expected: numbers)
    }
    let entityNumber = ColumnExpression.renumbered(entity, numbers(inTableOf: target))
    let position = row.positionAtPartner
    guard let chosen, row.isInNearRow else {
      return Partner(key: key, entityNumber: entityNumber, position: position)
    }
    func guarded(_ value: ColumnExpression) -> ColumnExpression {
      value == .null ? .null : .onlyIf(value, entityIn: entity, chosen)
    }
    return Partner(
      key: guarded(key),
      entityNumber: guarded(entityNumber),
      position: guarded(position)
    )
  }

  /// `nil` for all.
  private func allowed(_ entities: [EntityDescription], in target: EntityDescription) -> [Int64]? {
    let kept = Set(links.pairs(in: target).map(\.sourceNumber))
    let all = entities.map { source.numbering.number(of: $0.name) }
    return kept.isSuperset(of: all) ? nil : all.filter(kept.contains).sorted()
  }

  /// By the numbers in the source.
  private func numbers(inTableOf entity: EntityDescription) -> [Int64: Int64] {
    Dictionary(
      firstOf: links.pairs(in: destination.model.root(of: entity)).map {
        ($0.sourceNumber, $0.destinationNumber)
      }
    )
  }
}
