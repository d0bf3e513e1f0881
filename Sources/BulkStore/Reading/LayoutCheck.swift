internal import BulkModel

/// Finds the tables and columns that a model needs in a store file.
struct LayoutCheck {
  let store: StoreOutline

  /// The schema of a model as it is in the file.
  func schema(of model: ManagedObjectModel) throws(StoreError) -> StoreSchema {
    let guess = StoreSchema(model)
    let naming = StoreNaming(owners: try owners(in: guess), attributes: attributes(in: guess))
    let schema = arranged(StoreSchema(model, naming: naming))
    for table in schema.entityTables { try check(table) }
    for table in schema.joinTables { try check(table) }
    return schema
  }

  /// The columns of attributes whose names are not ASCII, where they are not in the form of new ones: with other
  /// letters as capitals, each by itself, or by the rules of Unicode (formats/store.md 3.3).
  private func attributes(in guess: StoreSchema) -> [String: String] {
    var result: [String: String] = [:]
    for entity in guess.model.entities {
      let table = store.schema.table(named: guess.table(of: entity).name)
      for name in entity.leaves.map(\.nameOfElement)
      where !name.utf8.allSatisfy({ $0 < 0x80 }) {
        let forms = [name.asciiUppercased, name.uppercasedByUnit, name.uppercased()]
        let found = forms.first { table?.column(named: "Z\($0)") != nil }
        if let found, found != forms[0] { result[name] = found }
      }
    }
    return result
  }

  /// The same schema with the keys of join tables in the order of the file.
  private func arranged(_ schema: StoreSchema) -> StoreSchema {
    var naming = schema.naming
    for table in schema.joinTables {
      guard let found = store.schema.table(named: table.name) else { continue }
      let arrangement = JoinTable.Arrangement(
        beginsWithMember: table.beginsWithMember(found.columns.map(\.name)),
        keyBeginsWithMember: table.beginsWithMember(found.primaryKey)
      )
      if arrangement != JoinTable.Arrangement() { naming.arrangements[table.owner] = arrangement }
    }
    return naming.arrangements.isEmpty ? schema : StoreSchema(schema.model, naming: naming)
  }

  /// The relationships that name their join tables in the file, in the order in which they claimed their
  /// column names.
  private func owners(in guess: StoreSchema) throws(StoreError) -> [PropertyKey] {
    var found: [(owner: PropertyKey, suffix: Int)] = []
    for table in guess.joinTables {
      let name = try name(of: table, in: guess)
      found.append((name.isGuessed ? table.owner : table.inverse, suffix(of: name.table, table)))
    }
    // Of two relationships that want one column name, the file shows which came first.
    return found.indices.sorted { (found[$0].suffix, $0) < (found[$1].suffix, $1) }
      .map { found[$0].owner }
  }

  /// The table in the file that holds a relationship, and whether its name is the guessed one.
  ///
  /// - Throws: ``StoreError/missingJoinTable(_:relationship:path:)`` if there is none.
  private func name(
    of table: JoinTable,
    in guess: StoreSchema
  ) throws(StoreError) -> (table: FileTable, isGuessed: Bool) {
    if let found = store.schema.table(named: table.name) { return (found, true) }
    let number = guess.numbering.number(of: table.inverse.entity)
    let otherName = "Z_\(number)\(table.inverse.property.uppercased())"
    let isReflexive = table.owner.entity == table.inverse.entity && table.owner != table.inverse
    if isReflexive, let found = store.schema.table(named: otherName) { return (found, false) }
    throw .missingJoinTable(
      isReflexive ? [table.name, otherName] : [table.name],
      relationship: table.owner.description,
      path: store.path
    )
  }

  /// The number appended to the names of a join table's columns; 0 if there is none.
  private func suffix(of found: FileTable, _ table: JoinTable) -> Int {
    let bases = [table.ownerColumn, table.memberColumn].map(\.withoutDigitsAtEnd)
    let suffixes = found.columns.compactMap { column -> Int? in
      guard let base = bases.first(where: { column.name.uppercased().hasPrefix($0) }) else {
        return nil
      }
      return Int(column.name.dropFirst(base.count))
    }
    return suffixes.max() ?? 0
  }

  private func check(_ table: EntityTable) throws(StoreError) {
    guard let found = store.schema.table(named: table.name) else {
      throw .missingTable(table.name, entity: table.root, path: store.path)
    }
    try checkRowIDs(of: found, table.name)
    guard found.rowIDColumn?.uppercased() == "Z_PK" else {
      throw .missingPrimaryKey(table: table.name, path: store.path)
    }
    for column in table.columns {
      try check(column.name, of: column.role.owner ?? "every row", in: found, table.name)
    }
  }

  private func check(_ table: JoinTable) throws(StoreError) {
    guard let found = store.schema.table(named: table.name) else {
      throw .missingJoinTable(
        [table.name],
        relationship: table.owner.description,
        path: store.path
      )
    }
    try checkRowIDs(of: found, table.name)
    for column in table.columns {
      try check(column, of: table.owner.description, in: found, table.name)
    }
  }

  private func checkRowIDs(of found: FileTable, _ table: String) throws(StoreError) {
    guard found.rowIDName == "rowid" else {
      throw .missingRowIDs(table: table, path: store.path)
    }
  }

  private func check(
    _ column: String,
    of property: String,
    in found: FileTable,
    _ table: String
  ) throws(StoreError) {
    guard found.column(named: column) != nil else {
      throw .missingColumn(column, table: table, property: property, path: store.path)
    }
  }

  /// Names of entities that date from before a renaming.
  ///
  /// - Throws: ``StoreError/entityNumber(entity:expected:found:path:)`` if the numbers themselves
  ///   contradict the model.
  func staleNames(_ numbering: EntityNumbering) throws(StoreError) -> [Int64: String] {
    let entries = store.primaryKeys
    let byNumber = Dictionary(firstOf: entries.map { ($0.number, $0) })
    let names = Set(numbering.entities.map(\.name))
    var stale: [Int64: String] = [:]
    for entity in numbering.entities {
      let number = numbering.number(of: entity.name)
      let found = byNumber[number]?.name
      guard found != entity.name else { continue }
      guard let found, !names.contains(found) else {
        throw .entityNumber(
          entity: entity.name,
          expected: number,
          found: found ?? "nothing",
          path: store.path
        )
      }
      stale[number] = found
    }
    return stale
  }
}

extension JoinTable {
  /// Whether the columns include one that names the members' keys before the owners'.
  fileprivate func beginsWithMember(_ columns: [String]) -> Bool {
    let names = columns.map { $0.uppercased() }
    guard
      let owner = names.firstIndex(of: ownerColumn.uppercased()),
      let member = names.firstIndex(of: memberColumn.uppercased())
    else { return false }
    return member < owner
  }
}

extension SchemaColumn.Role {
  /// The property that needs the column.
  fileprivate var owner: String? {
    switch self {
    case .primaryKey, .entity, .version, .unmanaged: nil
    case .attribute(let key), .foreignKey(let key), .foreignEntity(let key), .orderKey(let key),
      .hiddenForeignKey(let key), .hiddenOrderKey(let key):
      key.description
    }
  }
}

extension String {
  /// In capitals, but for letters whose capital is not one unit of UTF-16, as `ß`.
  fileprivate var uppercasedByUnit: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map {
          let capitals = $0.properties.uppercaseMapping
          return capitals.utf16.count == 1 ? capitals.unicodeScalars.first ?? $0 : $0
        }
      )
    )
  }

  fileprivate var withoutDigitsAtEnd: String {
    String(reversed().drop { $0.isASCII && $0.isNumber }.reversed())
  }
}
