internal import BulkModel
internal import BulkStore

/// Makes the pairs of many-to-many relationships from the values that the mappings give to either
/// side.
struct PairBuilder: Sendable {
  private let source: StoreSchema
  private let destination: StoreSchema
  private let mappings: [InstanceMapping]
  private let relationships: MappedRelationships

  init(
    _ mappings: [InstanceMapping],
    _ relationships: MappedRelationships,
    from source: StoreSchema,
    to destination: StoreSchema
  ) {
    self.mappings = mappings
    self.relationships = relationships
    self.source = source
    self.destination = destination
  }

  /// The transfers into all join tables, each pair once.
  func transfers() -> [RowTransfer] { destination.joinTables.flatMap(transfers) }

  private func transfers(into table: JoinTable) -> [RowTransfer] {
    let owners = sides(of: table.owner)
    let inverses = table.owner == table.inverse ? [] : sides(of: table.inverse)
    let needed = inverses.filter { inverse in !isCovered(inverse, by: owners) }
    return owners.compactMap { transfer(into: table, $0, isReversed: false) }
      + needed.compactMap { transfer(into: table, $0, isReversed: true) }
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
    let near = key(of: rows.nearKey, madeBy: [side.mapping.index], hops: value.route.hops.count)
    let far = key(of: rows.farKey, madeBy: value.targets, hops: value.route.hops.count)
    guard near != .null, far != .null else { return nil }
    var result = [
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
      where: [.notNull(near), .notNull(far)],
      ignoresDuplicates: true,
      joins: rows.joins
    )
  }

  private func key(
    of key: ColumnExpression,
    madeBy targets: [Int],
    hops: Int
  ) -> ColumnExpression {
    let ways = PartnerBuilder.alternatives(key, mappings.filter { targets.contains($0.index) })
    switch ways.count {
    case 0: return .null
    case 1: return ways[0].key
    default: return .firstCase(ways.map { .init($0.key, $0.key) })
    }
  }
}
