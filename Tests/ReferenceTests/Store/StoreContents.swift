import BulkTestSupport

/// An object of a store, by the root of its entity and its key.
struct RowID: Hashable, Comparable, CustomStringConvertible {
  let root: String
  let key: Int64

  static func < (one: RowID, other: RowID) -> Bool {
    (one.root, one.key) < (other.root, other.key)
  }

  var description: String { "\(root) \(key)" }
}

/// A row of an entity table.
struct StoredRow {
  let id: RowID
  let entityNumber: Int64
  let marks: Marks
  let number: Int64?
  let loud: String?
  /// The integers of all columns that are not NULL.
  let cells: [String: Int64]
}

/// A row of a join table, column by column.
struct StoredPair {
  let owner: Int64
  let member: Int64
  let position: Int64?
  let ownerPosition: Int64?
}

/// Everything in a store, read with plain SELECTs.
struct StoreContents {
  let names: StoreNames
  private(set) var rows: [RowID: StoredRow] = [:]
  /// The rows of every join table, in the order of the file.
  private var joins: [String: [[String: Int64]]] = [:]
  /// The entities' numbers and highest keys.
  private(set) var highestKeys: [String: Int64] = [:]

  var model: ModelSketch { names.model }

  /// Reads a store of a model.
  init(of file: StoreFile, _ model: ModelSketch) throws {
    names = StoreNames(model: model)
    for entity in model.entities where entity.superentityName == nil {
      for values in try file.cells(of: names.table(of: entity.name)) {
        let row = StoredRow(values, root: entity.name)
        rows[row.id] = row
      }
    }
    let tables = Set(try file.tables().compactMap(\.text))
    for relationship in model.entities.flatMap(\.relationships) {
      guard case .pairs(let join) = names.storage(of: relationship) else { continue }
      for table in join.tables.intersection(tables) where joins[table] == nil {
        joins[table] = try file.cells(of: table).map { $0.compactMapValues(\.integer) }
      }
    }
    for values in try file.cells(of: "Z_PRIMARYKEY") {
      highestKeys[values["Z_NAME"]?.text ?? ""] = values["Z_MAX"]?.integer
    }
  }

  /// The rows of an entity and of those that inherit from it, by key.
  func rows(ofKindsOf entity: String) -> [StoredRow] {
    let numbers = Set(model.kinds(of: entity).map { names.number(of: $0) })
    let root = model.root(of: entity)
    return rows.values.filter { $0.id.root == root && numbers.contains($0.entityNumber) }
      .sorted { $0.id < $1.id }
  }

  /// The pairs of a join table, as one of its relationships sees them.
  func pairs(_ join: Join) -> [StoredPair] {
    let found = join.tables.sorted().first { joins[$0] != nil }
    return found.flatMap { joins[$0] }.map { rows in
      rows.map { row in
        StoredPair(
          owner: row[join.owner] ?? 0,
          member: row[join.member] ?? 0,
          position: join.position.flatMap { row[$0] },
          ownerPosition: join.ownerPosition.flatMap { row[$0] }
        )
      }
    } ?? []
  }
}

extension StoredRow {
  fileprivate init(_ values: [String: StoredValue], root: String) {
    id = RowID(root: root, key: values["Z_PK"]?.integer ?? 0)
    entityNumber = values["Z_ENT"]?.integer ?? 0
    marks = Marks(text: values["ZTEXT"]?.text ?? "", maker: values["ZMAKER"]?.text)
    number = values["ZN"]?.integer
    loud = values["ZLOUD"]?.text
    cells = values.compactMapValues(\.integer)
  }
}

extension StoredValue {
  /// The integer; `nil` for every other value.
  fileprivate var integer: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The text; `nil` for every other value.
  fileprivate var text: String? {
    guard case .text(let value) = self else { return nil }
    return value
  }
}

extension StoreFile {
  /// The rows of a table, by the names of its columns.
  fileprivate func cells(of table: String) throws -> [[String: StoredValue]] {
    let columns = try columns(of: table).compactMap(\.text)
    return try rows("SELECT * FROM \"\(table)\" ORDER BY rowid").map { row in
      Dictionary(zip(columns, row)) { first, _ in first }
    }
  }
}
