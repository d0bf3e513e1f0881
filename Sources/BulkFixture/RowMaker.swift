internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// Makes the rows of one entity: a value for every column of its table.
struct RowMaker: Sendable {
  enum Column: Sendable {
    case key
    case constant(SQLiteValue)
    case attribute(ValueMaker)
    /// A key drawn from those of the relationship's objects.
    case drawn(KeyPlan.Keys, nilRate: Double)
    /// The key of the object at the same position, in a one-to-one relationship.
    case paired(KeyPlan.Keys)
    /// The number of the entity of the object whose key is in the preceding column.
    case entityOfKeyBefore([(lastKey: Int64, number: Int64)])
  }

  let keys: KeyPlan.Keys
  private let columns: [Column]
  private let stream: UInt64
  private let request: FixtureRequest
  /// A key that no object has.
  private static let danglingKey: Int64 = 1 << 40

  init(
    _ entity: EntityDescription,
    in table: EntityTable,
    schema: StoreSchema,
    plan: KeyPlan,
    request: FixtureRequest
  ) {
    keys = plan.keys(of: entity)
    stream = UInt64(schema.numbering.number(of: entity.name))
    self.request = request
    let builder = ColumnSource(entity, schema: schema, plan: plan, request: request)
    columns = table.columns.map { column in
      switch column.role {
      case .primaryKey: .key
      case .entity: .constant(.integer(schema.numbering.number(of: entity.name)))
      case .version: .constant(.integer(1))
      case .attribute(let key): builder.attribute(key)
      case .foreignKey(let key): builder.toOne(key)
      case .foreignEntity(let key):
        builder.owns(key) ? .entityOfKeyBefore(builder.entityNumbers(of: key)) : .constant(.null)
      case .hiddenForeignKey(let key): builder.hidden(key)
      case .orderKey, .hiddenOrderKey, .unmanaged: .constant(.null)
      }
    }
  }

  /// Appends the values of the row at an index from 0, in the order of the table's columns; external values are written
  /// to files of a folder.
  func append(rowAt place: Int64, to values: inout [SQLiteValue], files: String) throws {
    let key = keys.key(at: place)
    var random = RepeatableRandom(seed: request.seed, stream: stream, index: key)
    for column in columns {
      switch column {
      case .key: values.append(.integer(key))
      case .constant(let value): values.append(value)
      case .attribute(let maker):
        let value = maker.value(key: key, firstKey: keys.first, &random)
        values.append(try maker.stored(value, files: files, &random))
      case .drawn(let target, let nilRate): values.append(draw(target, nilRate: nilRate, &random))
      case .paired(let target):
        values.append(place < target.count ? .integer(target.key(at: place)) : .null)
      case .entityOfKeyBefore(let numbers): values.append(Self.entity(of: values.last, numbers))
      }
    }
  }

  private func draw(
    _ target: KeyPlan.Keys,
    nilRate: Double,
    _ random: inout RepeatableRandom
  ) -> SQLiteValue {
    let dangling = request.dirt.rate(.dangling)
    if dangling > 0, random.unit() < dangling {
      return .integer(Self.danglingKey + random.below(1_000_000))
    }
    guard target.count > 0, nilRate == 0 || random.unit() >= nilRate else { return .null }
    return .integer(target.key(at: request.skew.draw(below: target.count, &random)))
  }

  private static func entity(
    of key: SQLiteValue?,
    _ numbers: [(lastKey: Int64, number: Int64)]
  ) -> SQLiteValue {
    guard case .integer(let key) = key else { return .null }
    let found = numbers.first { key <= $0.lastKey } ?? numbers.last
    return found.map { .integer($0.number) } ?? .null
  }
}
