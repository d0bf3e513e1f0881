import BulkTestSupport

/// A kind of relationship between owners and members, which says how a store keeps its pairs.
enum RelationshipForm: CaseIterable, Sendable {
  case toOne
  case oneToOne
  case manyToOne
  case manyToOneInOrder
  case toMany
  case toManyInOrder
  case oneToMany
  case oneToManyInOrder
  case manyToMany
  case manyToManyInOrder

  /// Each form with each.
  static let pairs = allCases.flatMap { before in allCases.map { (before, $0) } }

  private var isToMany: Bool {
    switch self {
    case .toOne, .oneToOne, .manyToOne, .manyToOneInOrder: false
    case .toMany, .toManyInOrder, .oneToMany, .oneToManyInOrder, .manyToMany, .manyToManyInOrder:
      true
    }
  }

  private var isOrdered: Bool {
    switch self {
    case .toOne, .oneToOne, .manyToOne, .toMany, .oneToMany, .manyToMany: false
    case .manyToOneInOrder, .toManyInOrder, .oneToManyInOrder, .manyToManyInOrder: true
    }
  }

  private var hasInverse: Bool {
    switch self {
    case .toOne, .toMany, .toManyInOrder: false
    case .oneToOne, .manyToOne, .manyToOneInOrder, .oneToMany, .oneToManyInOrder, .manyToMany,
      .manyToManyInOrder:
      true
    }
  }

  func content(of member: String) -> RelationshipDescription {
    let end = hasInverse ? "\(member).holder" : member
    return isToMany
      ? .toMany("content", end, isOrdered: isOrdered) : .toOne("content", end)
  }

  func holder(of owner: String) -> [RelationshipDescription] {
    switch self {
    case .toOne, .toMany, .toManyInOrder: []
    case .oneToOne, .oneToMany, .oneToManyInOrder: [.toOne("holder", "\(owner).content")]
    case .manyToOne, .manyToMany: [.toMany("holder", "\(owner).content")]
    case .manyToOneInOrder, .manyToManyInOrder:
      [.toMany("holder", "\(owner).content", isOrdered: true)]
    }
  }
}

extension TestStore {
  /// Gives the first place to members that have none, because their pairs were told from the other side.
  mutating func givePlaces() {
    sql += schema.memberOrderings.map { ordering in
      "UPDATE \(ordering.table) SET \(ordering.orderColumn) = 2048 "
        + "WHERE \(ordering.ownerColumn) IS NOT NULL AND \(ordering.orderColumn) IS NULL"
    }
  }
}

extension StoreFile {
  /// The pairs of a relationship, the owner's key first, wherever the store keeps them, with the members' places
  /// if it has an order.
  func pairs(of relationship: PropertyKey, in schema: StoreSchema) throws -> [[StoredValue]] {
    switch schema.storage(of: relationship) {
    case .foreignKey(let table, let column, _): try pairs(table, "Z_PK", column)
    case .inverse(let inverse, let order):
      if case .foreignKey(let table, let column, _) = schema.storage(of: inverse) {
        try pairs(table, column, "Z_PK", order)
      } else {
        []
      }
    case .hiddenForeignKey(let table, let column, let order):
      try pairs(table, column, "Z_PK", order)
    case .join(let table, let isOwner):
      try isOwner
        ? pairs(table.name, table.ownerColumn, table.memberColumn, table.memberOrderColumn)
        : pairs(table.name, table.memberColumn, table.ownerColumn, table.ownerOrderColumn)
    case nil: []
    }
  }

  private func pairs(
    _ table: String,
    _ owner: String,
    _ member: String,
    _ order: String? = nil
  ) throws -> [[StoredValue]] {
    let columns = [owner, member, order].compactMap(\.self).joined(separator: ", ")
    return try rows(
      "SELECT \(columns) FROM \(table) WHERE \(owner) IS NOT NULL AND \(member) IS NOT NULL "
        + "ORDER BY 1, 2"
    )
  }

  /// The entity numbers and places that stand beside no key, and the keys beside which they are missing,
  /// as `TABLE.COLUMN`.
  func columnsWithoutTheirKeys(in schema: StoreSchema) throws -> [String] {
    try schema.entityTables.flatMap { table in
      try table.columns.compactMap { column -> String? in
        guard let key = keyColumn(beside: column.role, in: schema) else { return nil }
        let strays = try rows(
          "SELECT Z_PK FROM \(table.name) WHERE (\(key) IS NULL) <> (\(column.name) IS NULL)"
        )
        return strays.isEmpty ? nil : "\(table.name).\(column.name)"
      }
    }
  }

  private func keyColumn(beside role: SchemaColumn.Role, in schema: StoreSchema) -> String? {
    switch role {
    case .foreignEntity(let key): schema.column(.foreignKey(key))
    case .hiddenOrderKey(let key): schema.column(.hiddenForeignKey(key))
    case .orderKey(let key):
      if case .inverse(let toOne, _) = schema.storage(of: key) {
        schema.column(.foreignKey(toOne))
      } else {
        nil
      }
    case .primaryKey, .entity, .version, .attribute, .foreignKey, .hiddenForeignKey, .unmanaged:
      nil
    }
  }
}
