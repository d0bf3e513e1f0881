internal import BulkModel
internal import BulkStore

/// Makes the pairs of many-to-many relationships from the values that the mappings give to either
/// side.
struct PairBuilder: Sendable {
  private let source: StoreSchema
  private let destination: StoreSchema
  private let mappings: [InstanceMapping]
  private let relationships: MappedRelationships
  private let partners: PartnerBuilder

  init(
    _ mappings: [InstanceMapping],
    _ relationships: MappedRelationships,
    _ partners: PartnerBuilder,
    from source: StoreSchema,
    to destination: StoreSchema
  ) {
    self.mappings = mappings
    self.relationships = relationships
    self.partners = partners
    self.source = source
    self.destination = destination
  }

  /// The transfers into all join tables, each pair once.
  func transfers() -> [RowTransfer] { destination.joinTables.flatMap(transfers) }

  /// What may fall out of the relationships.
  func losses() -> [RelationshipLoss] {
    destination.joinTables.flatMap { table in
      needed(into: table).compactMap { side, isReversed in
        guard !partners.isComplete(side.value.targets, at: side.value.route) else { return nil }
        return loss(table, side, isReversed ? table.inverse : table.owner)
      }
    }
  }

  /// The keys of pairs that must be looked at when all objects are there.
  func checks() -> [ReferenceCheck] {
    guard !partners.looksUpKeys else { return [] }
    return destination.joinTables.flatMap { table -> [ReferenceCheck] in
      guard needed(into: table).contains(where: { keepsPairs($0.side, of: table) }) else {
        return []
      }
      let ends = [(table.ownerColumn, table.inverse), (table.memberColumn, table.owner)]
      return ends.compactMap { column, leadingThere in
        destination.target(of: leadingThere).map {
          ReferenceCheck(table.name, column, leadsTo: $0.table, $0.entities, else: .remove)
        }
      }
    }
  }

  /// Whether the pairs of a source table are the pairs of the destination, key by key.
  private func keepsPairs(_ side: Side, of table: JoinTable) -> Bool {
    guard needed(into: table).count == 1 else { return false }
    let route = side.value.route
    guard route.hops.count == 1, let rows = JoinRows(route.hops[0], in: source) else {
      return false
    }
    return rows.isJoinTable && partners.keepsKeys(side.value.targets, at: route)
      && partners.keepsKeys([side.mapping.index], at: route.reversed)
  }

  private func transfers(into table: JoinTable) -> [RowTransfer] {
    needed(into: table).compactMap { transfer(into: table, $0.side, isReversed: $0.isReversed) }
  }

  /// The sides that together give every pair of a table.
  private func needed(into table: JoinTable) -> [(side: Side, isReversed: Bool)] {
    let owners = sides(of: table.owner)
    let inverses = table.owner == table.inverse ? [] : sides(of: table.inverse)
    return owners.map { ($0, false) }
      + inverses.filter { inverse in !isCovered(inverse, by: owners) }.map { ($0, true) }
  }

  private func loss(_ table: JoinTable, _ side: Side, _ key: PropertyKey) -> RelationshipLoss? {
    guard let rows = PairRows(side.value.route, from: side.mapping.sourceTable, in: source) else {
      return nil
    }
    let near = self.key(of: rows.nearKey, madeBy: [side.mapping.index])
    let far = self.key(of: rows.farKey, madeBy: side.value.targets)
    return RelationshipLoss(
      relationship: "\(side.mapping.destination.name).\(key.property)",
      table: table.name,
      rows: RowTransfer(
        to: table.name,
        from: rows.table,
        [],
        where: [.notNull(near), .notNull(rows.farKey), .satisfies(.isNull(far))],
        joins: rows.joins
      )
    )
  }

  /// A mapping and what it says of a relationship.
  private struct Side {
    let mapping: InstanceMapping
    let value: MappedRelationship
  }

  private func sides(of key: PropertyKey) -> [Side] {
    guard let owner = destination.model.entity(named: key.entity) else { return [] }
    let kinds = Set(destination.model.hierarchy(from: owner).map(\.name))
    return mappings.filter { kinds.contains($0.destination.name) }.compactMap { mapping in
      relationships.value(of: key.property, under: mapping).map {
        Side(mapping: mapping, value: $0)
      }
    }
  }

  /// Whether the pairs of one side are just those that the other side's values give too.
  private func isCovered(_ side: Side, by others: [Side]) -> Bool {
    guard side.value.route.hops.count == 1, let hop = side.value.route.hops.first else {
      return false
    }
    return side.value.targets.allSatisfy { target in
      others.contains { other in
        other.mapping.index == target && other.value.targets.contains(side.mapping.index)
          && other.value.route.hops.count == 1
          && other.value.route.hops.first.map { isReverse($0, of: hop) } ?? false
      }
    }
  }

  private func isReverse(_ link: SourceLink, of other: SourceLink) -> Bool {
    source.model.inverseKey(of: other.key) == link.key
  }

  private func transfer(into table: JoinTable, _ side: Side, isReversed: Bool) -> RowTransfer? {
    let value = side.value
    guard let rows = PairRows(value.route, from: side.mapping.sourceTable, in: source) else {
      return nil
    }
    let isKept = keepsPairs(side, of: table)
    let isTakenOver = isKept && !partners.looksUpKeys
    let near = isTakenOver ? rows.nearKey : key(of: rows.nearKey, madeBy: [side.mapping.index])
    let far = isTakenOver ? rows.farKey : key(of: rows.farKey, madeBy: value.targets)
    guard near != .null, far != .null else { return nil }
    var result = isKept ? [RowTransfer.Assignment("rowid", .column("rowid"))] : []
    result += [
      RowTransfer.Assignment(isReversed ? table.memberColumn : table.ownerColumn, near),
      RowTransfer.Assignment(isReversed ? table.ownerColumn : table.memberColumn, far),
    ]
    let (farPlace, nearPlace) =
      isReversed
      ? (table.ownerOrderColumn, table.memberOrderColumn)
      : (table.memberOrderColumn, table.ownerOrderColumn)
    if let farPlace, let from = rows.farPlace { result.append(.init(farPlace, from)) }
    if let nearPlace, let from = rows.nearPlace { result.append(.init(nearPlace, from)) }
    return RowTransfer(
      to: table.name,
      from: rows.table,
      result,
      where: isTakenOver ? [] : [.notNull(near), .notNull(far)],
      ignoresDuplicates: !isKept,
      joins: rows.joins
    )
  }

  private func key(
    of key: ColumnExpression,
    madeBy targets: [Int]
  ) -> ColumnExpression {
    let ways = PartnerBuilder.alternatives(key, mappings.filter { targets.contains($0.index) })
    switch ways.count {
    case 0: return .null
    case 1: return ways[0].key
    default: return .firstCase(ways.map { .init($0.key, $0.key) })
    }
  }
}
