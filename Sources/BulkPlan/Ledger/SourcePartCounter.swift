internal import BulkModel
internal import BulkStore

/// Counts parts of the source store, each once.
final class SourcePartCounter {
  private let counts: SourceCounts
  private let schema: StoreSchema
  private var known: [SourcePart: Int64] = [:]

  /// - Throws: ``StoreError`` if the store cannot be read.
  init(_ store: PersistentStore, _ schema: StoreSchema) throws(StoreError) {
    counts = try SourceCounts(store)
    self.schema = schema
  }

  /// The total count of some parts.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  func count(_ provenance: Provenance) throws(StoreError) -> Int64 {
    try count(provenance.parts)
    return provenance.parts.reduce(0) { $0 + (known[$1] ?? 0) }
  }

  /// Counts some parts together, with one reading of a table for each entity.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  func count(_ parts: [SourcePart]) throws(StoreError) {
    var byEntity: [String: [(part: SourcePart, counted: SourceCounts.Part)]] = [:]
    for part in parts where known[part] == nil {
      switch part {
      case .objects(let entity):
        byEntity[entity, default: []].append((part, .row(satisfyingNone: [])))
      case .values(let key):
        byEntity[key.entity, default: []].append((part, .value(in: columns(of: key))))
      case .links(let key, let targets): known[part] = try links(key, to: targets)
      }
    }
    for (name, parts) in byEntity {
      guard let entity = schema.model.entity(named: name) else { continue }
      let found = try counts.rows(
        with: parts.map(\.counted),
        ofEntity: schema.numbering.number(of: name),
        in: schema.table(of: entity).name
      )
      for (part, count) in zip(parts.map(\.part), found) { known[part] = count }
    }
  }

  /// The number of objects of an entity that satisfy none of some sets of conditions, and the number that
  /// fail each set.
  func left(
    of entity: EntityDescription,
    by selections: [[RowTransfer.Condition]]
  ) throws(StoreError) -> (byAll: Int64, byEach: [Int64]) {
    let parts = ([selections] + selections.map { [$0] }).map(SourceCounts.Part.row)
    let found = try counts.rows(
      with: parts,
      ofEntity: schema.numbering.number(of: entity.name),
      in: schema.table(of: entity).name
    )
    return (found[0], Array(found.dropFirst()))
  }

  /// The columns that hold the values of an attribute; several for a composite one.
  private func columns(of key: PropertyKey) -> [String] {
    guard let entity = schema.model.entity(named: key.entity) else { return [] }
    let lineage = Set(schema.model.lineage(of: entity).map(\.name))
    return schema.table(of: entity).columns.compactMap { column in
      guard case .attribute(let found, _) = column.role, found.property == key.property,
        lineage.contains(found.entity)
      else { return nil }
      return column.name
    }
  }

  private func links(_ key: PropertyKey, to targets: [String]?) throws(StoreError) -> Int64 {
    guard let entity = schema.model.entity(named: key.entity),
      let found = schema.model.relationship(named: key.property, of: entity),
      let target = schema.model.entity(named: found.relationship.destinationEntityName),
      let storage = schema.storage(of: PropertyKey(found.owner.name, key.property))
    else { return 0 }
    let own = [schema.numbering.number(of: key.entity)]
    let far =
      targets.map { $0.map { schema.numbering.number(of: $0) } }
      ?? schema.model.hierarchy(from: target).map { schema.numbering.number(of: $0.name) }
    let (table, targetTable) = (schema.table(of: entity).name, schema.table(of: target).name)
    switch storage {
    case .foreignKey(_, let column, _):
      return try counts.links(in: table, [.init(column, of: targetTable, far)], ofEntities: own)
    case .inverse(let toOne, _):
      guard let column = schema.column(.foreignKey(toOne)) else { return 0 }
      return try counts.links(in: targetTable, [.init(column, of: table, own)], ofEntities: far)
    case .hiddenForeignKey(_, let column, _):
      return try counts.links(in: targetTable, [.init(column, of: table, own)], ofEntities: far)
    case .join(let pairs, let isOwner):
      let (near, other) = (pairs.ownerColumn, pairs.memberColumn)
      return try counts.links(
        in: pairs.name,
        [
          .init(isOwner ? near : other, of: table, own),
          .init(isOwner ? other : near, of: targetTable, far),
        ]
      )
    }
  }
}
