internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// A table whose rows are compared: the columns to read, and their meanings.
struct ComparedTable {
  struct Column {
    let name: String
    let meaning: Meaning
    let index: Int32
    /// Whether the value stands only if it is short, with its length and type behind it.
    let isGuarded: Bool
  }

  enum Meaning {
    case key
    case entity
    case version
    case attribute(String)
    /// The object of a relationship, whose table is given.
    case reference(String, table: String)
    case position(String)
    case unmanaged
  }

  let name: String
  /// In differences where rows have no entity.
  let title: String
  /// By which rows are sorted and found, one or two; 0 where they have no row id, so that tables are compared by a sum.
  let keyCount: Int
  let columns: [Column]
  /// The entities of both keys of a join table.
  let pair: (owner: String, member: String)?
  var sql: String { order.isEmpty ? selection : "\(selection) ORDER BY \(order)" }
  /// The keys are from parameter 1 to parameter 2; only where rows have one key.
  var sqlOfRange: String { "\(selection) WHERE \(order) BETWEEN ?1 AND ?2 ORDER BY \(order)" }
  private let selection: String
  private let order: String

  /// A longer value is read piece by piece.
  static let longestHeld: Int64 = 1 << 16

  private init(
    _ name: String,
    title: String,
    keys: [String],
    rest: [(name: String, meaning: Meaning, isBinary: Bool)],
    pair: (owner: String, member: String)? = nil
  ) {
    (self.name, self.title, self.pair, keyCount) = (name, title, pair, keys.count)
    var selected = keys.map { SQLText.quoted($0) }
    var columns = keys.enumerated().map {
      Column(name: $1, meaning: .key, index: Int32($0), isGuarded: false)
    }
    for column in rest {
      let quoted = SQLText.quoted(column.name)
      columns.append(
        Column(
          name: column.name,
          meaning: column.meaning,
          index: Int32(selected.count),
          isGuarded: column.isBinary
        )
      )
      selected +=
        column.isBinary
        ? [
          "CASE WHEN length(\(quoted)) <= \(Self.longestHeld) THEN \(quoted) END",
          "length(\(quoted))", "typeof(\(quoted))",
        ] : [quoted]
    }
    self.columns = columns
    order = keys.map { SQLText.quoted($0) }.joined(separator: ", ")
    selection = "SELECT \(selected.joined(separator: ", ")) FROM \(SQLText.quoted(name))"
  }

  /// `nil` unless the value is too long to be selected.
  func location(ofLong column: Column, in row: borrowing Statement) -> BlobHandle.Location? {
    guard column.isGuarded, row.int64(at: column.index + 1) > Self.longestHeld else { return nil }
    return BlobHandle.Location(
      schema: "main",
      table: name,
      column: column.name,
      key: row.int64(at: 0)
    )
  }

  init(_ table: EntityTable, _ schema: StoreSchema, unmanaged: [FileTable.Column]) {
    let rest = table.columns.dropFirst().map { column in
      (column.name, Self.meaning(of: column, schema), column.declaredType == "BLOB")
    }
    self.init(
      table.name,
      title: table.root,
      keys: ["Z_PK"],
      rest: rest + unmanaged.map { ($0.name, .unmanaged, $0.declaredType.uppercased() == "BLOB") }
    )
  }

  init(_ table: JoinTable) {
    let positions = [
      table.memberOrderColumn.map { ($0, table.owner.property) },
      table.ownerOrderColumn.map { ($0, table.inverse.property) },
    ].compactMap(\.self)
    self.init(
      table.name,
      title: table.owner.description,
      keys: [table.ownerColumn, table.memberColumn],
      rest: positions.map { ($0.0, .position($0.1), false) },
      pair: (table.owner.entity, table.inverse.entity)
    )
  }

  init(_ table: FileTable) {
    let key = table.rowIDName
    self.init(
      table.name,
      title: table.name,
      keys: key.map { [$0] } ?? [],
      // Without a row id a value cannot be read piece by piece.
      rest: table.columns.map {
        ($0.name, .unmanaged, key != nil && $0.declaredType.uppercased() == "BLOB")
      }
    )
  }

  private static func meaning(of column: SchemaColumn, _ schema: StoreSchema) -> Meaning {
    switch column.role {
    case .primaryKey: .key
    case .entity: .entity
    case .version: .version
    case .attribute(let key): .attribute(key.property)
    case .foreignKey(let key):
      .reference(
        key.property,
        table: schema.model.relationship(key)?.destinationEntityName ?? "object"
      )
    case .hiddenForeignKey(let key): .reference("owner in \(key)", table: key.entity)
    case .foreignEntity(let key): .position("entity of \(key.property)")
    case .orderKey(let key), .hiddenOrderKey(let key): .position(key.description)
    case .unmanaged: .unmanaged
    }
  }
}

extension StoreLayout {
  var comparedTables: [ComparedTable] {
    let entities = schema.entityTables.map {
      ComparedTable($0, schema, unmanaged: unmanagedColumns[$0.name] ?? [])
    }
    return entities + schema.joinTables.map { ComparedTable($0) }
      + (historyTables + unmanagedTables).map { ComparedTable($0) }
  }
}
