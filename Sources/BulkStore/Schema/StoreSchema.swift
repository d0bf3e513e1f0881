package import BulkModel

/// The tables, columns and indexes in which Core Data keeps the objects of a model.
///
/// It follows from the model alone; an existing store may name some otherwise, see ``StoreNaming``.
package struct StoreSchema: Sendable {
  package let model: ManagedObjectModel
  package let naming: StoreNaming
  let modelCache: SharedModelCache
  package let numbering: EntityNumbering
  package let entityTables: [EntityTable]
  /// In the order of their owners' numbers.
  package private(set) var joinTables: [JoinTable]

  private let tableIndexByRoot: [String: Int]
  /// By the name in capitals.
  private let tableIndexByName: [String: Int]
  private var joinIndexByKey: [PropertyKey: Int] = [:]
  private var columnByRole: [SchemaColumn.Role: String] = [:]

  package init(_ model: ManagedObjectModel, naming: StoreNaming = StoreNaming()) {
    self.model = model
    self.naming = naming
    modelCache = SharedModelCache(of: model)
    numbering = EntityNumbering(model)
    entityTables = EntityTableBuilder(model: model, numbering: numbering, naming: naming).tables()
    let owners = naming.owners
    joinTables = JoinTableBuilder(model: model, numbering: numbering, owners: owners).tables()
      .map { naming.joinTables[$0.owner] ?? $0 }
    tableIndexByRoot = Dictionary(
      uniqueKeysWithValues: entityTables.enumerated().map { ($1.root, $0) }
    )
    tableIndexByName = Dictionary(
      firstOf: entityTables.enumerated().map { ($1.name.uppercased(), $0) }
    )
    for (index, table) in joinTables.enumerated() {
      joinIndexByKey[table.owner] = index
      joinIndexByKey[table.inverse] = index
    }
    for table in entityTables {
      for column in table.columns.dropFirst(SchemaColumn.leading.count) {
        columnByRole[column.role] = column.name
      }
    }
  }

  /// Arranges the join table of a relationship as another one is, seen from this relationship as the owner.
  package mutating func arrangeJoinTable(
    of key: PropertyKey,
    as arrangement: JoinTable.Arrangement
  ) {
    guard let index = joinIndexByKey[key] else { return }
    joinTables[index].arrangement =
      joinTables[index].owner == key ? arrangement : arrangement.reversed
  }

  package var versionHashes: [String: VersionHash] { modelCache.versionHashes }

  package func table(of entity: EntityDescription) -> EntityTable {
    entityTables[tableIndexByRoot[model.root(of: entity).name] ?? 0]
  }

  /// The name is case-insensitive as in SQLite.
  package func entityTable(named name: String) -> EntityTable? {
    tableIndexByName[name.uppercased()].map { entityTables[$0] }
  }

  package func column(_ role: SchemaColumn.Role) -> String? { columnByRole[role] }

  /// Where the links of a relationship are kept; `nil` for a transient one.
  package func storage(of key: PropertyKey) -> RelationshipStorage? {
    guard
      let entity = model.entity(named: key.entity),
      let relationship = entity.relationship(named: key.property),
      !relationship.isTransient
    else { return nil }
    guard relationship.isToMany else {
      return column(.foreignKey(key)).map {
        .foreignKey(
          table: table(of: entity).name,
          column: $0,
          entityColumn: column(.foreignEntity(key))
        )
      }
    }
    if let inverse = model.storedInverse(of: relationship) {
      guard inverse.relationship.isToMany else {
        return .inverse(inverse.key, orderColumn: column(.orderKey(key)))
      }
      return joinIndexByKey[key].map {
        .join(joinTables[$0], isOwner: joinTables[$0].owner == key)
      }
    }
    guard
      let destination = model.entity(named: relationship.destinationEntityName),
      let column = column(.hiddenForeignKey(key))
    else { return nil }
    return .hiddenForeignKey(
      table: table(of: destination).name,
      column: column,
      orderColumn: self.column(.hiddenOrderKey(key))
    )
  }

  /// The name of the entity with a number, or the number where no entity has it.
  package func entityName(ofNumber number: Int64) -> String {
    let entities = numbering.entities
    guard number >= 1, number <= Int64(entities.count) else { return "entity number \(number)" }
    return entities[Int(number) - 1].name
  }

  /// The columns that rows of an entity use: those of its properties, own or inherited, and of
  /// relationships that refer to it.
  package func columns(of entity: EntityDescription) -> Set<String> {
    let names = Set(model.lineage(of: entity).map(\.name))
    let all = table(of: entity).columns.filter { column in
      switch column.role {
      case .attribute(let key), .foreignKey(let key), .foreignEntity(let key):
        names.contains(key.entity)
      case .orderKey(let key), .hiddenForeignKey(let key), .hiddenOrderKey(let key):
        memberEntity(of: key).map(names.contains) ?? false
      case .primaryKey, .entity, .version, .unmanaged: false
      }
    }
    return Set(all.map(\.name))
  }

  /// The entity whose rows hold the links of a to-many relationship.
  private func memberEntity(of key: PropertyKey) -> String? {
    switch storage(of: key) {
    case .inverse(let toOne, _): toOne.entity
    case .hiddenForeignKey:
      model.relationship(key)?.destinationEntityName
    case .foreignKey, .join, nil: nil
    }
  }

  /// The numbers that rows of a table may have: those of its entities that are not abstract.
  package func entityNumbers(in table: EntityTable) -> Set<Int64> {
    guard let root = model.entity(named: table.root) else { return [] }
    return Set(
      model.hierarchy(from: root).filter { !$0.isAbstract }
        .map { numbering.number(of: $0.name) }
    )
  }

  package func numbers(ofKindsOf entity: String) -> Set<Int64> {
    guard let entity = model.entity(named: entity) else { return [] }
    return Set(model.hierarchy(from: entity).map { numbering.number(of: $0.name) })
  }

  package var externalColumns: [ExternalColumn] {
    entityTables.flatMap { table in
      table.columns.compactMap { column in
        guard case .attribute(let key) = column.role,
          model.attribute(key)?.allowsExternalBinaryDataStorage == true
        else { return nil }
        return ExternalColumn(table: table.name, name: column.name, attribute: key)
      }
    }
  }
}

/// The names of an existing store that do not follow from the model.
package struct StoreNaming: Sendable {
  /// The join tables that are named or arranged otherwise than the model says, by their owners in the model.
  var joinTables: [PropertyKey: JoinTable] = [:]

  /// The relationships that name their join tables where the rules of an older framework decide.
  ///
  /// They are in the order in which they claim their column names: if two want one name, the first
  /// gets it unchanged, the other with a suffix. All others claim by ``PropertyOrder``.
  package var owners: [PropertyKey]

  /// The columns of attributes without the leading `Z`, by the attributes' names.
  package var attributes: [String: String]

  package init(owners: [PropertyKey] = [], attributes: [String: String] = [:]) {
    self.attributes = attributes
    self.owners = owners
  }

  /// Whether Core Data may look for join tables by the rules of an older framework (formats/store.md 6.6).
  ///
  /// The oldest version whose stores confirm today's rules is 752 (10.1).
  package static func followsOlderRules(_ frameworkVersion: Int64) -> Bool {
    frameworkVersion < 752
  }
}
