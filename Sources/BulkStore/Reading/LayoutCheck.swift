internal import BulkModel

/// Finds the tables and columns that a model needs in a store file.
struct LayoutCheck {
  let store: StoreOutline

  func schema(of model: ManagedObjectModel) throws(StoreError) -> StoreSchema {
    let guess = StoreSchema(model)
    var naming = StoreNaming(attributes: attributes(in: guess))
    for table in guess.joinTables {
      let found = try find(table)
      if found != table { naming.joinTables[table.owner] = found }
    }
    let isGuessed = naming.attributes.isEmpty && naming.joinTables.isEmpty
    let schema = isGuessed ? guess : StoreSchema(model, naming: naming)
    for table in schema.entityTables { try check(table) }
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

  /// A join table as the file names and arranges it.
  ///
  /// Throws ``StoreError/missingJoinTable(_:relationship:path:)`` if there is none.
  private func find(_ guess: JoinTable) throws(StoreError) -> JoinTable {
    var table = guess
    var file = store.schema.table(named: table.name)
    let isReflexive = guess.owner.entity == guess.inverse.entity && guess.owner != guess.inverse
    if file == nil, isReflexive {
      table = guess.reversed
      file = store.schema.table(named: table.name)
    }
    guard let file else {
      throw .missingJoinTable(
        isReflexive ? [guess.name, table.name] : [guess.name],
        relationship: guess.owner.description,
        path: store.path
      )
    }
    try checkRowIDs(of: file, table.name)
    let names = file.columns.map { $0.name.uppercased() }
    /// A column may have another number at its end.
    func find(_ column: inout String, _ base: String, except other: String) {
      guard !names.contains(column.uppercased()) else { return }
      let found = names.first {
        $0.hasPrefix(base) && $0.dropFirst(base.count).allSatisfy(\.isNumber) && $0 != other
      }
      column = found ?? column
    }
    find(&table.ownerColumn, table.ownerBase, except: table.memberColumn.uppercased())
    find(&table.memberColumn, table.memberBase, except: table.ownerColumn.uppercased())
    for column in table.columns {
      try check(column, of: table.owner.description, in: file, table.name)
    }
    table.arrangement = JoinTable.Arrangement(
      beginsWithMember: table.beginsWithMember(names),
      keyBeginsWithMember: table.beginsWithMember(file.primaryKey)
    )
    return table
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
  /// Throws ``StoreError/entityNumber(entity:expected:found:path:)`` if the numbers themselves
  /// contradict the model.
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
  /// The same pairs, with the other side as the owner; a reflexive pair has the name of that side.
  var reversed: JoinTable {
    JoinTable(
      owner: inverse,
      inverse: owner,
      name: ownerBase,
      ownerColumn: memberColumn,
      memberColumn: ownerColumn,
      ownerBase: memberBase,
      memberBase: ownerBase,
      ordersMembers: ordersOwners,
      ordersOwners: ordersMembers
    )
  }

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
}
