internal import BulkModel
internal import BulkStore

/// The links of a relationship of an entity's objects, each by the row of the source that holds it.
///
/// A link is a key that leads to an existing object, or a pair of such keys in a join table.
struct SourceLinks: Hashable, Sendable {
  /// The relationship, with the entity of the objects.
  let key: PropertyKey
  /// Their storage, seen from the objects.
  let rows: RelationshipRows
  /// The numbers of the entities at each end.
  private(set) var near: [Int64]
  private(set) var far: [Int64]
  /// The column in which objects at the far end of a one-to-one relationship have the key of their partner.
  let backColumn: String?
  /// Whether links are counted at this side, not at its inverse.
  let isFirst: Bool

  /// The links of a relationship to objects of some entities or, with `nil`, of any; `nil` for one that is not
  /// stored.
  init?(_ key: PropertyKey, to targets: [String]? = nil, in schema: StoreSchema) {
    guard let entity = schema.model.entity(named: key.entity),
      let found = schema.model.relationship(named: key.property, of: entity),
      let target = schema.model.entity(named: found.relationship.destinationEntityName),
      let rows = schema.rows(of: PropertyKey(found.owner.name, key.property))
    else { return nil }
    self.key = key
    self.rows = rows
    let names =
      targets ?? schema.model.hierarchy(from: target).filter { !$0.isAbstract }.map(\.name)
    near = [schema.numbering.number(of: key.entity)]
    far = names.map { schema.numbering.number(of: $0) }
    isFirst = schema.model.isCounted(found.relationship, of: entity)
    let inverse = schema.model.inverse(of: found.relationship)
    let isOneToOne = !found.relationship.isToMany && inverse?.relationship.isToMany == false
    backColumn =
      isOneToOne
      ? inverse.flatMap {
        schema.column(.foreignKey(PropertyKey($0.owner.name, $0.relationship.name)))
      } : nil
  }

  /// Whether links are counted at this side at all: for a one-to-one relationship those that the
  /// other does not show.
  var areCounted: Bool { isFirst || backColumn != nil }

  var nearKey: ColumnExpression { .column(rows.nearColumn) }
  var farKey: ColumnExpression { .column(rows.farColumn) }

  /// The conditions of rows whose link another row shows, which counts it if its object, by key and table, is kept.
  func repeats(
    _ isKept: (ColumnExpression, String) -> ColumnExpression
  ) -> [[ColumnExpression]] {
    if rows.isSymmetric {
      let other = RowMatch(.source, rows.table).with(rows.nearColumn, farKey)
        .with(rows.farColumn, nearKey)
      return [[.matches(other), .isLess(farKey, than: nearKey)]]
    }
    guard let partner, partner.isOwn || !isFirst else { return [] }
    return [
      [partner.condition, isKept(farKey, rows.farTable)]
        + (partner.isOwn ? [.isLess(farKey, than: nearKey)] : [])
    ]
  }

  /// The condition that the far object of a one-to-one relationship has the key of the near one, and whether both have
  /// the same relationship; `nil` for other relationships.
  var partner: (condition: ColumnExpression, isOwn: Bool)? {
    backColumn.map { back in
      let match = RowMatch(.source, rows.farTable).with("Z_PK", farKey).with(back, nearKey)
      return (.matches(match), back == rows.farColumn && rows.farTable == rows.table)
    }
  }

  /// The conditions under which rows of entities that are kept count, each link once.
  func repeats(keeping kept: Set<Int64>) -> [[ColumnExpression]] {
    repeats { key, table in .partner(key: key, table: table, entityIn: kept.sorted()) }
  }

  func loss(
    of count: Int64,
    isUpperBound: Bool = false,
    by cause: MigrationPlan.Loss.Cause,
    _ reason: String
  ) -> MigrationPlan.Loss {
    .init(.links, "\(key)", count, isUpperBound: isUpperBound, by: cause, reason: reason)
  }

  /// The links of all relationships that are counted, in the order of the entities.
  static func all(in schema: StoreSchema) -> [SourceLinks] {
    schema.model.entities.filter { !$0.isAbstract }.flatMap { entity in
      schema.model.relationships(of: entity).filter { !$0.isTransient }
        .compactMap { SourceLinks(PropertyKey(entity.name, $0.name), in: schema) }
        .filter(\.areCounted)
    }
  }

  /// Those to objects of some entities only; `nil` where none are left.
  func leading(to entities: Set<Int64>) -> SourceLinks? {
    var result = self
    result.far = far.filter(entities.contains)
    return result.far.isEmpty ? nil : result
  }

  var conditions: [ColumnExpression] {
    [Self.end(nearKey, rows.nearTable, near), Self.end(farKey, rows.farTable, far)]
  }

  /// The condition that a key leads to an object of some entities, which may be that of the row itself.
  private static func end(
    _ key: ColumnExpression,
    _ table: String,
    _ numbers: [Int64]
  ) -> ColumnExpression {
    key == .column("Z_PK")
      ? .entityIn(numbers) : .partner(key: key, table: table, entityIn: numbers)
  }

  /// The entities of the objects whose rows hold the links; `nil` for those of a join table.
  var holders: [Int64]? { rows.nearColumn == "Z_PK" ? near : rows.farColumn == "Z_PK" ? far : nil }

  /// Whether some expression finds objects along these links.
  func are(_ lookup: RelationshipRows) -> Bool {
    lookup.table == rows.table
      && Set([lookup.nearColumn, lookup.farColumn]) == Set([rows.nearColumn, rows.farColumn])
  }
}

/// The outcome of source links where rows keep their keys.
struct CarriedLinks: Hashable, Sendable {
  let links: SourceLinks
  /// The sets of conditions; a row must satisfy one if its own transfer carries its link.
  private var byRow: [[ColumnExpression]] = []
  /// The rows that look their one object up along the links, each carrying one.
  private var byLookup: [Lookup] = []
  private let repeated: [[ColumnExpression]]

  private struct Lookup: Hashable {
    let isNear: Bool
    let table: String
    let conditions: [ColumnExpression]
  }

  init(_ links: SourceLinks, by carriers: LinkCarriers, _ reads: WorkReads) {
    self.links = links
    repeated = links.repeats(keeping: reads.entities)
    let transfers = carriers.transfers(reading: [links.rows.table, links.rows.farTable])
    for transfer in transfers.joinRows {
      addInverse(transfer, reads, isPairs: true)
      guard transfer.source != links.rows.table else {
        add(transfer)
        continue
      }
      // Pairs that became the key of a row on the way are made from that key.
      for number in reads.entities(of: transfer).sorted() {
        for assignment in transfer.assignments {
          addLookups(assignment.value.ofEntity(number), of: transfer, number)
        }
      }
    }
    for transfer in transfers.entityRows {
      // Numbers of entities and positions come along with keys.
      let values = transfer.assignments.map(\.value)
        .filter { $0.reads(inRowOf: transfer.source).contains(keyColumn) }
      for number in values.isEmpty ? [] : reads.entities(of: transfer).sorted() {
        for value in values { add(value.ofEntity(number), of: transfer, number) }
      }
      addInverse(transfer, reads, isPairs: false)
    }
  }

  /// Whether every link is certainly carried, so that none needs counting.
  var areAll: Bool {
    let keys = [links.rows.nearColumn, links.rows.farColumn].filter { $0 != "Z_PK" }
    let held = keys.map { ColumnExpression.notNull(.column($0)) }
    if byRow.contains(where: { Set($0).isSubset(of: held) }) { return true }
    return links.holders?.allSatisfy { byRow.contains([.entityIn([$0])] + held) } ?? false
  }

  func lost(_ counts: SourceCounts) throws(StoreError) -> Int64 {
    let all = try counts.rows(
      in: links.rows.table,
      where: links.conditions,
      except: byRow + repeated
    )
    guard byRow.isEmpty else { return all }
    var left = all
    // Where rows at both ends look each other up, both carry the same links.
    let isMutual = byLookup.contains(where: \.isNear)
    for lookup in byLookup where lookup.isNear || !isMutual {
      left -= try counts.rows(in: lookup.table, where: lookup.conditions)
    }
    return max(0, left)
  }

  var areSome: Bool { !byRow.isEmpty || !byLookup.isEmpty }

  /// Adds the rows that a transfer turns into pairs; those of some entities only where others lost
  /// the relationship on the way.
  private mutating func add(_ transfer: RowTransfer) {
    let ends = [links.rows.nearColumn, links.rows.farColumn].map(ColumnExpression.column)
    let values = transfer.assignments.map(\.value)
    guard !ends.allSatisfy(values.contains) else { return byRow.append(transfer.conditions) }
    for number in links.holders ?? [] {
      let values = values.map { $0.ofEntity(number) }
      guard !ends.allSatisfy(values.contains) else {
        byRow.append(transfer.conditions + [.entityIn([number])])
        continue
      }
      // The key may be nil where the relationship did not lead to the object any more on the way.
      guard values.contains(.column("Z_PK")), let key = values.first(where: carriesKey) else {
        continue
      }
      byRow.append(transfer.conditions + [.entityIn([number]), .notNull(key)])
    }
  }

  private var keyColumn: StoredColumn {
    let rows = links.rows
    return StoredColumn(
      rows.nearColumn == "Z_PK" ? rows.farColumn : rows.nearColumn,
      of: rows.table
    )
  }

  /// Whether a value in a row that holds the link is its key, or nil.
  private func carriesKey(_ value: ColumnExpression) -> Bool {
    value.choices.isEmpty && value.reads(inRowOf: links.rows.table).contains(keyColumn)
  }

  /// Adds the rows of an entity whose value has the key of a link, or may have it for another entity.
  private mutating func add(
    _ value: ColumnExpression,
    of transfer: RowTransfer,
    _ number: Int64
  ) {
    guard value.reads(inRowOf: transfer.source).contains(keyColumn) else { return }
    addLookups(value, of: transfer, number)
    guard transfer.source == links.rows.table, links.holders?.contains(number) == true,
      value.choices.isEmpty
    else { return }
    byRow.append([.entityIn([number]), .notNull(value)])
  }

  private mutating func addLookups(
    _ value: ColumnExpression,
    of transfer: RowTransfer,
    _ number: Int64
  ) {
    let rows = links.rows
    for choice in value.choices where links.are(choice.lookup) {
      let isNear = choice.lookup.nearColumn == rows.nearColumn
      guard (isNear ? links.near : links.far).contains(number) else { continue }
      let partner: ColumnExpression =
        isNear
        ? .partner(key: value, table: rows.farTable, entityIn: links.far)
        : .partner(key: value, table: rows.nearTable, entityIn: links.near)
      let conditions = transfer.conditions + [.entityIn([number]), partner]
      byLookup.append(Lookup(isNear: isNear, table: transfer.source, conditions: conditions))
    }
  }

  /// Adds the rows at the other end of a one-to-one relationship whose keys show the same links, where a transfer writes
  /// these keys or makes pairs of them; the other side counts those that it alone shows.
  private mutating func addInverse(
    _ transfer: RowTransfer,
    _ reads: WorkReads,
    isPairs: Bool
  ) {
    let rows = links.rows
    guard links.isFirst, rows.nearColumn == "Z_PK", transfer.source == rows.farTable,
      let column = links.backColumn, column != rows.farColumn || rows.farTable != rows.table
    else { return }
    for number in reads.entities(of: transfer).intersection(links.far).sorted() {
      let values = transfer.assignments.map { $0.value.ofEntity(number) }
      guard !isPairs || values.contains(.column("Z_PK")) else { continue }
      for value in values {
        guard value.choices.isEmpty,
          value.reads(inRowOf: transfer.source).contains(StoredColumn(column, of: rows.farTable))
        else { continue }
        byLookup.append(
          Lookup(
            isNear: false,
            table: transfer.source,
            conditions: (isPairs ? transfer.conditions : []) + [
              .entityIn([number]),
              .partner(key: value, table: rows.nearTable, entityIn: links.near),
              .matches(
                RowMatch(.source, rows.nearTable).with("Z_PK", value)
                  .with(rows.farColumn, .column("Z_PK"))
              ),
            ]
          )
        )
      }
    }
  }
}

/// The transfers that may carry links, by the tables that they read.
struct LinkCarriers {
  private let transfers: TransferSet
  /// The indexes of transfers of rows and of pairs, by the names of the tables in capitals.
  private let entityRows: [String: [Int]]
  private let joinRows: [String: [Int]]

  init(_ transfers: TransferSet) {
    self.transfers = transfers
    entityRows = Self.indexes(of: transfers.entityRows)
    joinRows = Self.indexes(of: transfers.joinRows)
  }

  /// The transfers that read some of the tables, in their order.
  func transfers(
    reading tables: Set<String>
  ) -> (entityRows: [RowTransfer], joinRows: [RowTransfer]) {
    func indexes(_ all: [String: [Int]]) -> [Int] {
      Set(tables.flatMap { all[$0.uppercased()] ?? [] }).sorted()
    }
    return (
      indexes(entityRows).map { transfers.entityRows[$0] },
      indexes(joinRows).map { transfers.joinRows[$0] }
    )
  }

  private static func indexes(of transfers: [RowTransfer]) -> [String: [Int]] {
    var result: [String: [Int]] = [:]
    for (index, transfer) in transfers.enumerated() {
      let values = transfer.assignments.map(\.value)
      let read = values.flatMap { $0.reads(inRowOf: transfer.source) }.map(\.table)
      let searched = values.flatMap(\.choices).map(\.lookup.table)
      for table in Set(([transfer.source] + read + searched).map { $0.uppercased() }) {
        result[table, default: []].append(index)
      }
    }
    return result
  }
}
