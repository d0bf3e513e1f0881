internal import BulkMapping
internal import BulkModel
package import BulkStore

/// Lowers a mapping model to transfers of rows between two stores.
///
/// Keys are kept: every destination table gets its rows from one source table, so a row's key, and with it
/// every foreign key, does not change. Core Data's own migration in place does the same.
struct TransferBuilder: Sendable {
  private let mapping: MappingModel
  private let source: StoreSchema
  private let destination: StoreSchema
  private let links: LinkResolver
  /// The pairs by the table that their objects fill.
  private let pairsByTable: [String: [EntityPair]]
  private let frameworkVersion: Int64
  /// The unmanaged columns, by destination table.
  private let unmanaged: [String: [String]]

  init(
    _ mapping: MappingModel,
    from source: StoreSchema,
    to destination: StoreSchema,
    frameworkVersion: Int64,
    unmanaged: [String: [String]]
  ) {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    self.frameworkVersion = frameworkVersion
    self.unmanaged = unmanaged
    let pairs = Self.pairs(of: mapping, from: source, to: destination)
    pairsByTable = Dictionary(grouping: pairs) { destination.table(of: $0.destination).name }
    links = LinkResolver(source: source, destination: destination, pairs: pairs)
  }

  func transfers() -> TransferSet {
    var result = TransferSet()
    for table in destination.entityTables {
      let pairs = pairs(into: table)
      guard let first = pairs.first else { continue }
      let rows = rows(pairs)
      result.entityRows.append(
        transfer(into: table, of: rows, from: source.table(of: first.source))
      )
      result.orderings += orderings(in: table, of: rows)
    }
    for table in destination.joinTables {
      let transfers = transfers(into: table)
      result.joinRows += transfers
      result.orderings += orderings(in: table, transfers)
    }
    result.emptyTables = emptyTables()
    return result
  }

  /// Empty transfers from source tables whose entities still exist, but have no objects of their own.
  private func emptyTables() -> [RowTransfer] {
    let sources = Dictionary(
      mapping.entityMappings.map { ($0.destinationEntityName, $0.sourceEntityName) },
      uniquingKeysWith: { first, _ in first }
    )
    return destination.entityTables.compactMap { table in
      guard
        pairs(into: table).isEmpty,
        let before = sources[table.root] ?? nil,
        let entity = source.model.entity(named: before)
      else { return nil }
      let key = RowTransfer.Assignment("Z_PK", .column("Z_PK"))
      return RowTransfer(
        to: table.name,
        from: source.table(of: entity).name,
        [key],
        where: [.entityIn([])]
      )
    }
  }

  private static func pairs(
    of mapping: MappingModel,
    from source: StoreSchema,
    to destination: StoreSchema
  ) -> [EntityPair] {
    mapping.entityMappings.compactMap { mapping in
      guard
        let sourceName = mapping.sourceEntityName,
        let destinationName = mapping.destinationEntityName,
        let sourceEntity = source.model.entity(named: sourceName),
        let destinationEntity = destination.model.entity(named: destinationName),
        !sourceEntity.isAbstract
      else { return nil }
      return EntityPair(
        mapping: mapping,
        source: sourceEntity,
        sourceNumber: source.numbering.number(of: sourceName),
        destination: destinationEntity,
        destinationNumber: destination.numbering.number(of: destinationName)
      )
    }
  }

  private func rows(_ pairs: [EntityPair]) -> KeptRows {
    KeptRows(
      of: pairs,
      from: source,
      to: destination,
      links: links,
      frameworkVersion: frameworkVersion
    )
  }

  private func pairs(into table: EntityTable) -> [EntityPair] {
    pairsByTable[table.name] ?? []
  }

  private func transfer(
    into table: EntityTable,
    of rows: KeptRows,
    from sourceTable: EntityTable
  ) -> RowTransfer {
    let known = table.columns.map { ($0.name, rows.value(of: $0)) }
    let kept = (unmanaged[table.name] ?? []).map { ($0, ColumnExpression.column($0)) }
    let assignments = (known + kept).filter { $0.1 != .null }
      .map { RowTransfer.Assignment($0.0, $0.1) }
    return RowTransfer(
      to: table.name,
      from: sourceTable.name,
      assignments,
      where: entityCondition(pairs(into: table).map(\.sourceNumber), in: sourceTable).map { [$0] }
        ?? []
    )
  }

  /// The condition for rows of some entities; `nil` if the table can hold no others.
  private func entityCondition(
    _ numbers: [Int64],
    in table: EntityTable
  ) -> RowTransfer.Condition? {
    guard let root = source.model.entity(named: table.root) else { return nil }
    let all = source.model.hierarchy(from: root).filter { !$0.isAbstract }
      .map { source.numbering.number(of: $0.name) }
    return Set(all).isSubset(of: numbers) ? nil : .entityIn(numbers.sorted())
  }

  private func orderings(in table: EntityTable, of rows: KeptRows) -> [MemberOrdering] {
    table.columns.compactMap { column in
      let keyColumn: String?
      switch column.role {
      case .orderKey(let owner):
        keyColumn = destination.model.inverseKey(of: owner)
          .flatMap { destination.column(.foreignKey($0)) }
      case .hiddenOrderKey(let owner): keyColumn = destination.column(.hiddenForeignKey(owner))
      case .primaryKey, .entity, .version, .attribute, .foreignKey, .foreignEntity,
        .hiddenForeignKey, .unmanaged:
        return nil
      }
      guard
        let keyColumn,
        rows.lacksPlaces(column, in: table)
      else { return nil }
      return MemberOrdering(
        table: table.name,
        ownerColumn: keyColumn,
        memberColumn: "Z_PK",
        orderColumn: column.name
      )
    }
  }

  private func transfers(into table: JoinTable) -> [RowTransfer] {
    links.links(of: table.owner).flatMap { link, pairs -> [RowTransfer] in
      guard let rows = source.rows(of: link) else { return [] }
      let stored = RowTransfer(
        to: table.name,
        from: rows.table,
        assignments(of: table, from: rows),
        where: rows.conditions + endConditions(of: table, link: link, pairs: pairs, rows: rows),
        ignoresDuplicates: !rows.isJoinTable
      )
      guard
        !destination.model.isOwnInverse(table.owner), rows.isSymmetric
      else { return [stored] }
      let other = rows.reversed
      let back = RowTransfer(
        to: table.name,
        from: other.table,
        assignments(of: table, from: other).filter { $0.column != "rowid" },
        where: endConditions(of: table, link: link, pairs: pairs, rows: other),
        ignoresDuplicates: true
      )
      return [stored, back]
    }
  }

  private func assignments(
    of table: JoinTable,
    from rows: RelationshipRows
  ) -> [RowTransfer.Assignment] {
    var result = rows.isJoinTable ? [RowTransfer.Assignment("rowid", .column("rowid"))] : []
    result.append(.init(table.ownerColumn, .column(rows.nearColumn)))
    result.append(.init(table.memberColumn, .column(rows.farColumn)))
    if let order = table.memberOrderColumn, let from = rows.farPlaceColumn {
      result.append(.init(order, .column(from)))
    }
    if let order = table.ownerOrderColumn, let from = rows.nearPlaceColumn {
      result.append(.init(order, .column(from)))
    }
    return result
  }

  /// The conditions that exclude pairs with a missing end.
  private func endConditions(
    of table: JoinTable,
    link: SourceLink,
    pairs: [EntityPair],
    rows: RelationshipRows
  ) -> [RowTransfer.Condition] {
    let owners = condition(
      on: rows.nearColumn,
      kept: pairs,
      of: links.nearEntities(of: link),
      rows: rows
    )
    let memberPairs = memberEntity(of: table).map { links.pairs(in: $0) } ?? []
    let members = condition(
      on: rows.farColumn,
      kept: memberPairs,
      of: links.farEntities(of: link),
      rows: rows
    )
    return [owners, members].compactMap(\.self)
  }

  /// The destination entity of the owner's relationship; an ancestor may declare the inverse.
  private func memberEntity(of table: JoinTable) -> EntityDescription? {
    destination.model.entity(named: table.owner.entity)?.relationships
      .first { $0.name == table.owner.property }
      .flatMap { destination.model.entity(named: $0.destinationEntityName) }
  }

  private func condition(
    on column: String,
    kept: [EntityPair],
    of entities: [EntityDescription],
    rows: RelationshipRows
  ) -> RowTransfer.Condition? {
    let numbers = Set(kept.map(\.sourceNumber))
    let all = Set(entities.map { source.numbering.number(of: $0.name) })
    guard !all.isSubset(of: numbers), let first = entities.first else { return nil }
    let allowed = all.intersection(numbers).sorted()
    if column == "Z_PK" { return .entityIn(allowed) }
    return .partner(
      key: .column(column),
      table: source.table(of: first).name,
      entityIn: allowed
    )
  }

  private func orderings(in table: JoinTable, _ transfers: [RowTransfer]) -> [MemberOrdering] {
    let given = transfers.first.map { Set($0.assignments.map(\.column)) } ?? []
    guard !transfers.isEmpty else { return [] }
    return table.memberOrderings.filter { !given.contains($0.orderColumn) }
  }
}

extension RelationshipRows {
  /// A row is a pair if it has both keys.
  fileprivate var conditions: [RowTransfer.Condition] {
    [nearColumn, farColumn].filter { $0 != "Z_PK" && !isJoinTable }.map { .notNull(.column($0)) }
  }
}

/// All transfers of rows from a source store to a destination store.
package struct TransferSet: Sendable {
  /// The transfers into entity tables, at most one a table, in the order of the tables.
  package var entityRows: [RowTransfer] = []
  /// The tables that get no rows; only the highest keys of their sources are kept.
  var emptyTables: [RowTransfer] = []
  /// The transfers into join tables, in the order of the tables.
  package var joinRows: [RowTransfer] = []
  /// The places to assign to members of relationships that had no order, when all rows and indexes exist.
  package var orderings: [MemberOrdering] = []

  package init() {}

  /// The first transfer out of every source table, by the table's name in capitals.
  var tableMoves: [String: RowTransfer] {
    Dictionary(
      (entityRows + joinRows).map { ($0.source.uppercased(), $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
