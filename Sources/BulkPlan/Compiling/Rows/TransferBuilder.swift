internal import BulkMapping
internal import BulkModel
package import BulkStore

/// Compiles a mapping model to transfers of rows between two stores.
///
/// Keys are kept: every destination table gets its rows from one source table, so a row's key, and with it
/// every foreign key, does not change. Core Data's own migration in place does the same.
struct TransferBuilder: Sendable {
  private let mapping: MappingModel
  private let source: StoreSchema
  private let destination: StoreSchema
  private let links: LinkResolver
  private let pairsByTable: [String: [InstanceMapping]]
  private let frameworkVersion: Int64
  /// By destination table.
  private let unmanaged: [String: [String]]

  init(
    _ mapping: MappingModel,
    from source: StoreSchema,
    to destination: StoreSchema,
    frameworkVersion: Int64,
    unmanaged: [String: [String]]
  ) {
    (self.mapping, self.source, self.destination) = (mapping, source, destination)
    (self.frameworkVersion, self.unmanaged) = (frameworkVersion, unmanaged)
    let pairs = mapping.continuations(from: source.model, to: destination.model)
      .filter { !$0.source.isAbstract }
      .enumerated().map { index, pair in
        InstanceMapping(
          pair.mapping,
          from: (pair.source, source),
          to: (pair.destination, destination),
          index: index
        )
      }
    pairsByTable = Dictionary(grouping: pairs, by: \.destinationTable)
    links = LinkResolver(source: source, destination: destination, pairs: pairs)
  }

  func transfers() -> TransferSet {
    var result = TransferSet()
    let orderings = destination.memberOrderings
    for table in destination.entityTables {
      let pairs = pairs(into: table)
      guard let first = pairs.first else { continue }
      let rows = KeptRows(
        of: pairs,
        from: source,
        to: destination,
        links: links,
        frameworkVersion: frameworkVersion
      )
      result.entityRows.append(
        transfer(into: table, of: rows, from: source.table(of: first.source))
      )
      result.orderings += orderings.filter { ordering in
        ordering.table == table.name
          && table.columns.contains {
            $0.name == ordering.orderColumn && rows.lacksPositions($0, in: table)
          }
      }
    }
    for table in destination.joinTables {
      let transfers = transfers(into: table)
      result.joinRows += transfers
      let given = transfers.first.map { Set($0.assignments.map(\.column)) }
      result.orderings += orderings.filter { ordering in
        ordering.table == table.name && given.map { !$0.contains(ordering.orderColumn) } ?? false
      }
    }
    result.emptyTables = emptyTables()
    return result
  }

  /// From source tables whose entities still exist, but have no objects of their own.
  private func emptyTables() -> [RowTransfer] {
    let sources = Dictionary(
      firstOf: mapping.entityMappings.map { ($0.destinationEntityName, $0.sourceEntityName) }
    )
    return destination.entityTables.compactMap { table in
      guard pairs(into: table).isEmpty,
        let entity = source.model.entity(named: sources[table.root] ?? nil)
      else { return nil }
      return RowTransfer(ofNothingTo: table.name, from: source.table(of: entity).name)
    }
  }

  private func pairs(into table: EntityTable) -> [InstanceMapping] {
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
    let numbers = pairs(into: table).map(\.sourceNumber)
    return RowTransfer(
      to: table.name,
      from: sourceTable.name,
      assignments,
      where: source.entityCondition(numbers, inTable: sourceTable.name)
    )
  }

  private func transfers(into table: JoinTable) -> [RowTransfer] {
    links.links(of: table.owner).flatMap { link, pairs -> [RowTransfer] in
      guard let rows = source.rows(of: link) else { return [] }
      let stored = RowTransfer(
        to: table.name,
        from: rows.table,
        table.assignments(from: rows, keepsRowIDs: rows.isJoinTable),
        where: rows.conditions + endConditions(of: table, link: link, pairs: pairs, rows: rows),
        ignoresDuplicates: !rows.isJoinTable
      )
      guard !destination.model.isOwnInverse(table.owner), rows.isSymmetric else { return [stored] }
      let other = rows.reversed
      let back = RowTransfer(
        to: table.name,
        from: other.table,
        table.assignments(from: other, keepsRowIDs: false),
        where: endConditions(of: table, link: link, pairs: pairs, rows: other),
        ignoresDuplicates: true
      )
      return [stored, back]
    }
  }

  private func endConditions(
    of table: JoinTable,
    link: SourceLink,
    pairs: [InstanceMapping],
    rows: RelationshipRows
  ) -> [ColumnExpression] {
    let owners = condition(
      on: rows.nearColumn,
      kept: pairs,
      of: links.entities(of: link, atFarEnd: false),
      rows: rows
    )
    // An ancestor of the destination entity may declare the inverse.
    let member = destination.model.relationship(table.owner)?.destinationEntityName
    let memberPairs = destination.model.entity(named: member).map { links.pairs(in: $0) } ?? []
    let members = condition(
      on: rows.farColumn,
      kept: memberPairs,
      of: links.entities(of: link, atFarEnd: true),
      rows: rows
    )
    return [owners, members].compactMap(\.self)
  }

  private func condition(
    on column: String,
    kept: [InstanceMapping],
    of entities: [EntityDescription],
    rows: RelationshipRows
  ) -> ColumnExpression? {
    let numbers = Set(kept.map(\.sourceNumber))
    let all = Set(entities.map { source.numbering.number(of: $0.name) })
    guard !all.isSubset(of: numbers), let first = entities.first else { return nil }
    let allowed = all.intersection(numbers).sorted()
    if column == "Z_PK" { return .entityIn(allowed) }
    return .partner(key: .column(column), table: source.table(of: first).name, entityIn: allowed)
  }
}

extension StoreSchema {
  /// None if the table can hold no other entities.
  func entityCondition(_ numbers: [Int64], inTable name: String) -> [ColumnExpression] {
    let all = entityTable(named: name).map(entityNumbers) ?? []
    return all.isSubset(of: numbers) ? [] : [.entityIn(numbers.sorted())]
  }
}

extension JoinTable {
  /// The values of the columns from rows with both keys of a pair, which are kept unless others are given.
  ///
  /// `isReversed` tells whether the members are at the near end of the rows.
  func assignments(
    from rows: RelationshipRows,
    near: ColumnExpression? = nil,
    far: ColumnExpression? = nil,
    isReversed: Bool = false,
    keepsRowIDs: Bool
  ) -> [RowTransfer.Assignment] {
    let keys = isReversed ? [memberColumn, ownerColumn] : [ownerColumn, memberColumn]
    let positions =
      isReversed ? [memberOrderColumn, ownerOrderColumn] : [ownerOrderColumn, memberOrderColumn]
    var result = keepsRowIDs ? [RowTransfer.Assignment("rowid", .column("rowid"))] : []
    result.append(.init(keys[0], near ?? .column(rows.nearColumn)))
    result.append(.init(keys[1], far ?? .column(rows.farColumn)))
    if let position = positions[1], let from = rows.farPositionColumn {
      result.append(.init(position, .column(from)))
    }
    if let position = positions[0], let from = rows.nearPositionColumn {
      result.append(.init(position, .column(from)))
    }
    return result
  }
}

extension RowTransfer {
  /// The transfer of no rows, which still keeps the highest key that the source table ever gave out.
  init(ofNothingTo destination: String, from source: String) {
    let key = Assignment("Z_PK", .column("Z_PK"))
    self.init(to: destination, from: source, [key], where: [.entityIn([])])
  }
}

extension RelationshipRows {
  /// A row is a pair if it has both keys.
  fileprivate var conditions: [ColumnExpression] {
    [nearColumn, farColumn].filter { $0 != "Z_PK" && !isJoinTable }.map { .notNull(.column($0)) }
  }
}

/// All transfers of rows from a source store to a destination store.
package struct TransferSet: Sendable {
  /// At most one a table, in the order of the tables.
  package var entityRows: [RowTransfer] = []
  /// Only the highest keys of their sources are kept.
  var emptyTables: [RowTransfer] = []
  /// In the order of the tables.
  var joinRows: [RowTransfer] = []
  /// The positions to assign to members of relationships that had no order, when all rows and indexes exist.
  var orderings: [MemberOrdering] = []

  package init() {}

  /// The first out of every source table, by the table's name in capitals.
  var tableMoves: [String: RowTransfer] {
    Dictionary(firstOf: (entityRows + joinRows).map { ($0.source.uppercased(), $0) })
  }
}
