import BulkTestSupport

extension Scenario {
  /// Writes the source store.
  func write(to path: String) throws -> StoreFile {
    var store = TestStore(try model.model())
    store.objects = objects.map { object in
      var values: [String: AttributeValue] = ["text": .string(object.text)]
      if let number = object.number { values["n"] = .integer(number) }
      return TestObject(object.entity, object.key, values)
    }
    let joins = Set(store.schema.joinTables.map(\.name))
    let names = StoreNames(model: model)
    store.sql =
      objects.compactMap { update($0, names) } + pairs.compactMap { insert($0, names, joins) }
    return try store.write(to: path)
  }

  private func update(_ object: ObjectSketch, _ names: StoreNames) -> String? {
    var values: [String] = []
    for (name, key) in object.keys.sorted(by: { $0.key < $1.key }) {
      guard let column = column(name, names) else { continue }
      values.append("\"\(column.key.name)\" = \(key)")
      guard let entityColumn = column.key.entity else { continue }
      let entity = entity(of: key, column.destination) ?? column.destination
      values.append("\"\(entityColumn)\" = \(names.number(of: entity))")
    }
    for (name, position) in object.positions.sorted(by: { $0.key < $1.key }) {
      guard let column = column(name, names)?.key.position else { continue }
      values.append("\"\(column)\" = \(position)")
    }
    guard !values.isEmpty else { return nil }
    return "UPDATE \"\(names.table(of: object.entity))\" SET \(values.joined(separator: ", ")) "
      + "WHERE Z_PK = \(object.key)"
  }

  /// The column that stores a relationship, and the entity that its keys lead to.
  private func column(
    _ name: String,
    _ names: StoreNames
  ) -> (key: KeyColumn, destination: String)? {
    guard let relationship = model.relationship(name) else { return nil }
    switch names.storage(of: relationship) {
    case .column(let column): return (column, relationship.destinationEntityName)
    case .membersColumn(let column): return (column, model.owner(of: relationship))
    case .pairs: return nil
    }
  }

  /// The entity of the object with a key in the table of an entity.
  private func entity(of key: Int64, _ entity: String) -> String? {
    let root = model.root(of: entity)
    return objects.first { $0.key == key && model.root(of: $0.entity) == root }?.entity
  }

  private func insert(_ pair: PairSketch, _ names: StoreNames, _ tables: Set<String>) -> String? {
    guard
      let relationship = model.relationship(pair.relationship),
      case .pairs(let join) = names.storage(of: relationship),
      let table = join.tables.intersection(tables).sorted().first
    else { return nil }
    var values = [join.owner: pair.owner, join.member: pair.member]
    if let column = join.position { values[column] = pair.position }
    if let column = join.ownerPosition { values[column] = pair.ownerPosition }
    let cells = values.sorted { $0.key < $1.key }
    return "INSERT OR IGNORE INTO \"\(table)\" (\(cells.map(\.key).joined(separator: ", "))) "
      + "VALUES (\(cells.map { "\($0.value)" }.joined(separator: ", ")))"
  }
}

extension ObjectSketch {
  /// The text that no other object of the store has.
  var text: String { "\(entity) \(key)" }
}
