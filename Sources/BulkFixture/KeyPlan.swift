internal import BulkModel
internal import BulkStore

/// The keys of all objects, determined before any is written.
///
/// In each table the entities are arranged by number, so the objects of an entity and of all that inherit
/// from it have consecutive keys.
struct KeyPlan: Sendable {
  /// Consecutive keys; empty where `count` is 0.
  struct Keys: Sendable {
    let first: Int64
    let count: Int64

    /// The key at an index from 0.
    func key(at place: Int64) -> Int64 { first + place }
  }

  private let schema: StoreSchema
  /// The keys of each entity's own objects, by its number; the numbers of a table ascend.
  private let own: [Int64: Keys]

  init(_ schema: StoreSchema, rows: [String: Int64]) {
    self.schema = schema
    var own: [Int64: Keys] = [:]
    for table in schema.entityTables {
      var next: Int64 = 1
      for entity in Self.entities(of: table, in: schema) {
        let count = entity.isAbstract ? 0 : rows[entity.name] ?? 0
        own[schema.numbering.number(of: entity.name)] = Keys(first: next, count: count)
        next += count
      }
    }
    self.own = own
  }

  /// The entities of a table, by number.
  static func entities(of table: EntityTable, in schema: StoreSchema) -> [EntityDescription] {
    schema.numbering.entities.filter { schema.table(of: $0).name == table.name }
  }

  /// The keys of an entity's own objects.
  func keys(of entity: EntityDescription) -> Keys {
    own[schema.numbering.number(of: entity.name)] ?? Keys(first: 1, count: 0)
  }

  /// The keys of the objects of an entity and of all that inherit from it.
  func keysOfHierarchy(of entity: EntityDescription) -> Keys {
    let all = schema.model.hierarchy(from: entity).map { keys(of: $0) }
    let filled = all.filter { $0.count > 0 }
    return Keys(
      first: filled.map(\.first).min() ?? 1,
      count: filled.reduce(0) { $0 + $1.count }
    )
  }

  /// The entity numbers of a hierarchy with the last key of each, by key.
  func entityNumbers(of entity: EntityDescription) -> [(lastKey: Int64, number: Int64)] {
    schema.model.hierarchy(from: entity)
      .map { (keys(of: $0), schema.numbering.number(of: $0.name)) }
      .filter { $0.0.count > 0 }
      .map { ($0.0.first + $0.0.count - 1, $0.1) }
      .sorted { $0.lastKey < $1.lastKey }
  }

  /// The highest key of a table.
  func highestKey(of table: EntityTable) -> Int64 {
    Self.entities(of: table, in: schema).map { keys(of: $0) }
      .filter { $0.count > 0 }.map { $0.first + $0.count - 1 }.max() ?? 0
  }
}
