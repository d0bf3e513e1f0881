internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// Reads single objects of a store with all their attributes and to-one relationships.
final class SourceObjects {
  private let store: PersistentStore
  private let schema: StoreSchema
  private var statements: [String: ObjectStatement] = [:]

  /// A statement that reads objects of an entity, and the meaning of its columns.
  private final class ObjectStatement {
    let statement: Statement
    let columns: [Column]

    init(_ statement: consuming Statement, _ columns: [Column]) {
      self.statement = statement
      self.columns = columns
    }
  }

  private enum Column {
    case attribute(AttributeDescription)
    case reference(String)
  }

  /// An object as it is stored.
  struct Object {
    /// The values of its attributes, by name; those that are longer than ``SourceObjects/longestValue`` are
    /// left out.
    let values: [(name: String, value: AttributeValue)]
    let references: [(name: String, key: Int64)]
    let omitted: [String]
  }

  /// The longest text or binary value that is read, in bytes.
  static let longestValue = 1 << 16

  init(_ store: PersistentStore, _ schema: StoreSchema) {
    (self.store, self.schema) = (store, schema)
  }

  func object(of entity: String, _ key: Int64) throws(StoreError) -> Object? {
    guard let row = try prepared(entity) else { return nil }
    try row.statement.bind(.integer(key), at: 1)
    defer { row.statement.reset() }
    guard try row.statement.step() else { return nil }
    return Self.object(row)
  }

  private static func object(_ row: ObjectStatement) -> Object {
    var values: [(name: String, value: AttributeValue)] = []
    var references: [(name: String, key: Int64)] = []
    var omitted: [String] = []
    for (index, column) in row.columns.enumerated() {
      let resultColumn = Int32(2 * index)
      switch column {
      case .attribute(let attribute):
        guard row.statement.int64(at: resultColumn + 1) <= longestValue else {
          omitted.append(attribute.name)
          continue
        }
        let value = ColumnCoding.attributeValue(
          row.statement.value(at: resultColumn),
          of: attribute
        )
        values.append((attribute.name, value))
      case .reference(let name):
        guard row.statement.storageClass(at: resultColumn) == .integer else { continue }
        references.append((name, row.statement.int64(at: resultColumn)))
      }
    }
    return Object(values: values, references: references, omitted: omitted)
  }

  private func prepared(_ name: String) throws(StoreError) -> ObjectStatement? {
    if let known = statements[name] { return known }
    guard let entity = schema.model.entity(named: name) else { return nil }
    let table = schema.table(of: entity)
    let own = schema.columns(of: entity)
    var columns: [Column] = []
    var selected: [String] = []
    for column in table.columns where own.contains(column.name) {
      let quoted = SQLText.quoted(column.name)
      switch column.role {
      case .attribute(let key):
        guard let attribute = schema.model.attribute(key) else { continue }
        columns.append(.attribute(attribute))
        // The length of a number does not matter.
        let length =
          "CASE WHEN typeof(\(quoted)) IN ('text', 'blob') THEN length(\(quoted)) ELSE 0 END"
        selected += ["CASE WHEN \(length) <= \(Self.longestValue) THEN \(quoted) END", length]
      case .foreignKey(let key):
        columns.append(.reference(key.property))
        selected += [quoted, "0"]
      case .primaryKey, .entity, .version, .foreignEntity, .orderKey, .hiddenForeignKey,
        .hiddenOrderKey, .unmanaged:
        continue
      }
    }
    if selected.isEmpty { selected = ["1"] }
    let sql =
      "SELECT \(selected.joined(separator: ", ")) FROM \(SQLText.quoted(table.name)) WHERE Z_PK = ?1"
    let made = ObjectStatement(try store.connection.prepare(sql), columns)
    statements[name] = made
    return made
  }
}
