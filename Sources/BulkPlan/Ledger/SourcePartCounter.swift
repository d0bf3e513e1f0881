internal import BulkModel
internal import BulkStore

/// Counts parts of the source store, each once.
///
/// Parts that it is made for are counted while the store is read for its identity.
final class SourcePartCounter {
  let counts: SourceCounts
  private let schema: StoreSchema
  private var known: [SourcePart: Int64] = [:]
  private var counted: [String: [SourceCounts.Part: Int64]] = [:]
  private var pending: [Pending] = []

  /// A counter for some parts, and for what ``left(of:by:)`` will count.
  init(
    _ store: PersistentStore,
    _ schema: StoreSchema,
    counting parts: [SourcePart] = [],
    left: [(entity: EntityDescription, selections: [[ColumnExpression]])] = []
  ) {
    let counts = SourceCounts(store)
    (self.counts, self.schema) = (counts, schema)
    var all = rowParts(of: parts).mapValues { $0.map(\.counted) }
    for (entity, selections) in left { all[entity.name, default: []] += Self.left(by: selections) }
    pending = all.compactMap { name, parts in
      guard let entity = schema.model.entity(named: name) else { return nil }
      let (table, number) = (schema.table(of: entity).name, schema.numbering.number(of: name))
      // Parts that cannot be counted now are counted later, with their error.
      return (try? counts.steps(with: parts, ofEntity: number, in: table)).map {
        Pending(table: table, entity: name, parts: parts, steps: $0)
      }
    }
  }

  func count(_ provenance: Provenance) throws(StoreError) -> Int64 {
    try count(provenance.parts)
    return provenance.parts.reduce(0) { $0 + (known[$1] ?? 0) }
  }

  /// Counts some parts together, with one reading of a table for each entity.
  func count(_ parts: [SourcePart]) throws(StoreError) {
    for (name, parts) in rowParts(of: parts) {
      let found = try rows(of: name, with: parts.map(\.counted))
      for (part, count) in zip(parts.map(\.part), found) { known[part] = count }
    }
    for part in parts where known[part] == nil {
      switch part {
      case .links(let key, let targets):
        guard let links = SourceLinks(key, to: targets, in: schema) else { continue }
        known[part] = try counts.rows(in: links.rows.table, where: links.conditions)
      case .columnOfPairs(let column, let table):
        known[part] = try counts.rows(in: table, where: [.notNull(.column(column))])
      case .objects, .values, .column: continue
      }
    }
  }

  /// The number of objects of an entity that satisfy none of some sets of conditions, and the number that
  /// fail each set.
  func left(
    of entity: EntityDescription,
    by selections: [[ColumnExpression]]
  ) throws(StoreError) -> (byAll: Int64, byEach: [Int64]) {
    let found = try rows(of: entity.name, with: Self.left(by: selections))
    return (found[0], Array(found.dropFirst()))
  }

  private static func left(by selections: [[ColumnExpression]]) -> [SourceCounts.Part] {
    ([selections] + selections.map { [$0] }).map(SourceCounts.Part.row)
  }

  private func rowParts(
    of parts: [SourcePart]
  ) -> [String: [(part: SourcePart, counted: SourceCounts.Part)]] {
    var result: [String: [(part: SourcePart, counted: SourceCounts.Part)]] = [:]
    for part in parts where known[part] == nil {
      switch part {
      case .objects(let entity):
        result[entity, default: []].append((part, .row(satisfyingNone: [])))
      case .values(let key):
        result[key.entity, default: []].append((part, .value(in: columns(of: key))))
      case .column(let column, let entity, nil):
        result[entity, default: []].append((part, .value(in: [column])))
      case .column(let column, let entity, let conditions?):
        let others: [[ColumnExpression]] = [
          [.not(.notNull(.column(column)))], [.none(conditions)],
        ]
        result[entity, default: []].append((part, .row(satisfyingNone: others)))
      case .links, .columnOfPairs: break
      }
    }
    return result
  }

  /// The numbers of an entity's objects that have each of some parts; those that are unknown are counted together.
  private func rows(
    of name: String,
    with parts: [SourceCounts.Part]
  ) throws(StoreError) -> [Int64] {
    guard let entity = schema.model.entity(named: name) else { return parts.map { _ in 0 } }
    let missing = parts.filter { counted[name]?[$0] == nil }
    let found = try counts.rows(
      with: missing,
      ofEntity: schema.numbering.number(of: name),
      in: schema.table(of: entity).name
    )
    for (part, count) in zip(missing, found) { counted[name, default: [:]][part] = count }
    return parts.map { counted[name]?[$0] ?? 0 }
  }

  /// A count of an entity's objects that goes along with another reading of their table.
  private struct Pending {
    let table: String
    let entity: String
    let parts: [SourceCounts.Part]
    let steps: CountSteps
  }

  func advance(_ table: String, through key: Int64) {
    pending.removeAll { count in
      guard count.table == table else { return false }
      return (try? count.steps.advance(through: key)) == nil
    }
  }

  func finish() {
    for count in pending {
      guard let found = try? count.steps.finish() else { continue }
      for (part, number) in zip(count.parts, found) {
        counted[count.entity, default: [:]][part] = number
      }
    }
    pending = []
  }

  /// The columns that hold the values of an attribute; several for a composite one.
  private func columns(of key: PropertyKey) -> [String] {
    guard let entity = schema.model.entity(named: key.entity) else { return [] }
    let lineage = Set(schema.model.lineage(of: entity).map(\.name))
    return schema.table(of: entity).columns.compactMap { column in
      guard case .attribute(let found) = column.role, found.property == key.property,
        lineage.contains(found.entity)
      else { return nil }
      return column.name
    }
  }
}
