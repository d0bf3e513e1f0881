internal import BulkModel
internal import BulkSupport
internal import BulkSQLite
internal import BulkStore

/// The rows of one entity, or the pairs of one many-to-many relationship.
struct RowSource {
  let table: String
  let columns: [String]
  /// The keys of the entity's objects, or of the owners of pairs.
  let keys: Range<Int64>
  /// Distinguishes the random numbers of this source.
  let stream: UInt64
  /// Appends what an object adds to the table: the values of its row, or of its pairs.
  let append: (inout Row, inout [SQLiteValue]) throws -> Void

  /// An object for which values are drawn.
  struct Row {
    let key: Int64
    var random: RepeatableRandom
    /// The key that the row's last relationship has.
    var target: Int64?
  }
}

/// Determines what the rows of a store are drawn from.
struct StoreContents {
  typealias Column = (inout RowSource.Row) throws -> SQLiteValue

  let schema: StoreSchema
  let plan: KeyPlan
  let request: FixtureRequest
  let files: String
  private static let danglingKey: Int64 = 1 << 40
  /// The mean number of members of an owner if none is requested.
  private static let usualMean = 1.5
  /// The fraction of optional to-one relationships that are nil.
  private static let usualNilRate = 0.02

  func sources() -> [RowSource] {
    schema.entityTables.flatMap { table in
      plan.entities(of: table).map { rows(of: $0, in: table) }
    } + schema.joinTables.enumerated().compactMap { pairs(of: $1, number: $0) }
  }

  private func rows(of entity: EntityDescription, in table: EntityTable) -> RowSource {
    let names = schema.columns(of: entity)
    let number = schema.numbering.number(of: entity.name)
    let columns = table.columns.map { column -> Column in
      switch column.role {
      case .primaryKey: { .integer($0.key) }
      case .entity: { _ in .integer(number) }
      case .version: { _ in .integer(1) }
      case .orderKey, .hiddenOrderKey, .unmanaged: Self.null
      case _ where !names.contains(column.name): Self.null
      case .attribute(let key): attribute(key, of: entity)
      case .foreignKey(let key): toOne(key)
      case .foreignEntity(let key): entityNumber(of: key)
      // The owner of an object in a to-many relationship without inverse.
      case .hiddenForeignKey(let key):
        drawn(from: plan.keysOfHierarchy(of: key.entity), nilRate: Self.usualNilRate)
      }
    }
    return RowSource(
      table: table.name,
      columns: table.columns.map(\.name),
      keys: plan.keys(of: entity),
      stream: UInt64(number)
    ) { row, values in
      for column in columns { values.append(try column(&row)) }
    }
  }

  private static func null(_: inout RowSource.Row) -> SQLiteValue { .null }

  private func attribute(_ key: PropertyKey, of entity: EntityDescription) -> Column {
    guard let attribute = schema.model.attribute(key), !attribute.isDerived,
      let draw = attribute.values(request.sizes[key.description])
    else { return Self.null }
    let isUnique = schema.model.lineage(of: entity).flatMap(\.uniquenessConstraints)
      .contains { $0.first == attribute.name }
    let usualNilRate = isUnique ? 0 : attribute.isPicture ? 0.7 : 0.1
    let nilRate =
      attribute.isOptional
      ? request.nilRates[key.description] ?? usualNilRate : request.dirt[.nulls] ?? 0
    let duplicateRate = isUnique ? request.dirt[.duplicates] ?? 0 : 0
    let firstKey = plan.keys(of: entity).lowerBound
    let stored = stored(attribute, externalRate: request.externalRates[key.description] ?? 0)
    return { row in
      if row.random.happens(nilRate) { return .null }
      guard isUnique else { return try stored(draw(&row.random), &row.random) }
      let repeats = row.random.happens(duplicateRate)
      return try stored(attribute.uniqueValue(repeats ? firstKey : row.key), &row.random)
    }
  }

  /// How an attribute's column holds a value: the value itself, its bytes after a mark, or the name of a new file.
  private func stored(
    _ attribute: AttributeDescription,
    externalRate: Double
  ) -> (SQLiteValue, inout RepeatableRandom) throws -> SQLiteValue {
    guard attribute.allowsExternalBinaryDataStorage else { return { value, _ in value } }
    return { value, random in
      guard case .blob(let bytes) = value else { return value }
      guard random.happens(externalRate) else { return .blob([1] + bytes) }
      let name = random.uuid().uuidString
      try Data(bytes).write(to: URL(fileURLWithPath: "\(files)/\(name)", isDirectory: false))
      return .blob(ExternalBinaryData.reference(to: name))
    }
  }

  private func toOne(_ key: PropertyKey) -> Column {
    guard let relationship = schema.model.relationship(key) else { return Self.null }
    let keys = plan.keysOfHierarchy(of: relationship.destinationEntityName)
    guard let inverse = schema.model.inverse(of: relationship), !inverse.relationship.isToMany
    else { return drawn(from: keys, nilRate: relationship.isOptional ? Self.usualNilRate : 0) }
    // In a one-to-one relationship, objects at the same index belong together.
    let distance = keys.lowerBound - plan.keysOfHierarchy(of: key.entity).lowerBound
    return { row in
      row.target = keys.contains(row.key + distance) ? row.key + distance : nil
      return row.target.map { .integer($0) } ?? .null
    }
  }

  private func drawn(from keys: Range<Int64>, nilRate: Double) -> Column {
    let skew = request.skew
    let danglingRate = request.dirt[.dangling] ?? 0
    return { row in
      if row.random.happens(danglingRate) {
        row.target = Self.danglingKey + row.random.below(1_000_000)
      } else if keys.isEmpty || row.random.happens(nilRate) {
        row.target = nil
      } else {
        row.target = keys.lowerBound + skew.draw(below: Int64(keys.count), &row.random)
      }
      return row.target.map { .integer($0) } ?? .null
    }
  }

  /// The number of the entity of the object that the row's last relationship refers to.
  private func entityNumber(of key: PropertyKey) -> Column {
    let target = schema.model.entity(named: schema.model.relationship(key)?.destinationEntityName)
    let numbers = (target.map(schema.model.hierarchy) ?? [])
      .map { (keys: plan.keys(of: $0), number: schema.numbering.number(of: $0.name)) }
      .filter { !$0.keys.isEmpty }
      .sorted { $0.number < $1.number }
    return { row in
      guard let key = row.target else { return .null }
      let found = numbers.first { key < $0.keys.upperBound } ?? numbers.last
      return found.map { .integer($0.number) } ?? .null
    }
  }

  private func pairs(of table: JoinTable, number: Int) -> RowSource? {
    let owners = plan.keysOfHierarchy(of: table.owner.entity)
    let members = plan.keysOfHierarchy(
      of: schema.model.relationship(table.owner)?.destinationEntityName
    )
    guard !members.isEmpty else { return nil }
    let membersPerOwner = Double(members.count) / Double(max(owners.count, 1))
    let mean =
      request.links[table.owner.description]
      ?? request.links[table.inverse.description].map { $0 * membersPerOwner } ?? Self.usualMean
    let isOrdered = table.memberOrderColumn != nil
    return RowSource(
      table: table.name,
      // The positions of owners are filled in later.
      columns: table.columns.filter { $0 != table.ownerOrderColumn },
      keys: owners,
      stream: UInt64(number) + 1 << 32
    ) { row, values in
      let drawn = distinct(from: members, mean: mean, &row.random)
      for (rank, member) in drawn.enumerated().sorted(by: { $0.element < $1.element }) {
        values.append(.integer(row.key))
        values.append(.integer(member))
        guard isOrdered else { continue }
        values.append(.integer(MemberOrdering.first + MemberOrdering.step * Int64(rank)))
      }
    }
  }

  /// In the order of their positions.
  private func distinct(
    from members: Range<Int64>,
    mean: Double,
    _ random: inout RepeatableRandom
  ) -> [Int64] {
    let total = Int64(members.count)
    // The number of members is uniform in a range around the mean.
    let target = min(mean, Double(total))
    let spread = min(target, Double(total) - target)
    let least = Int64(target - spread)
    let width = Int64(spread * 2)
    // Corrects for the part of the mean that integers alone would miss.
    let rest = target - Double(least) - Double(width) / 2
    let count = least + (width == 0 ? 0 : random.below(width + 1)) + (random.happens(rest) ? 1 : 0)
    var result: [Int64] = []
    var taken: Set<Int64> = []
    while result.count < count {
      var index = request.skew.draw(below: total, &random)
      while !taken.insert(index).inserted { index = (index + 1) % total }
      result.append(members.lowerBound + index)
    }
    return result
  }
}

/// The keys of all objects, determined before any is written.
///
/// In each table the entities are arranged by number, so the objects of an entity and of all that inherit
/// from it have consecutive keys.
struct KeyPlan {
  private let schema: StoreSchema
  private var own: [String: Range<Int64>] = [:]

  init(_ schema: StoreSchema, rows: [String: Int64]) {
    self.schema = schema
    for table in schema.entityTables {
      var next: Int64 = 1
      for entity in entities(of: table) {
        own[entity.name] = next..<next + (rows[entity.name] ?? 0)
        next += rows[entity.name] ?? 0
      }
    }
  }

  func entities(of table: EntityTable) -> [EntityDescription] {
    schema.numbering.entities.filter { schema.table(of: $0).name == table.name }
  }

  func keys(of entity: EntityDescription) -> Range<Int64> { own[entity.name] ?? 1..<1 }

  /// The keys of the objects of an entity and of all that inherit from it.
  func keysOfHierarchy(of name: String?) -> Range<Int64> {
    guard let entity = schema.model.entity(named: name) else { return 1..<1 }
    let all = schema.model.hierarchy(from: entity).map { keys(of: $0) }
    return keys(of: entity).lowerBound..<(all.map(\.upperBound).max() ?? 1)
  }

  func highestKey(of table: EntityTable) -> Int64 {
    (entities(of: table).last.map { keys(of: $0).upperBound } ?? 1) - 1
  }
}
