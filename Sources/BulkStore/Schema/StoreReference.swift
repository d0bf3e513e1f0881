internal import BulkModel

/// A column of an entity table or a join table with keys of objects.
package struct StoreReference: Sendable {
  package let property: PropertyKey
  /// The property by which rows with a wrong key are named.
  package let title: PropertyKey
  package let table: String
  package let column: String
  package let target: String
  package let targetTable: String
  /// The numbers that the objects' entities may have; `nil` for all of the table.
  package let entities: [Int64]?
  /// The column with the number of the object's entity, if there is one.
  package let entityColumn: String?
  /// The column of the target's table with the key back, where both objects of a link have one.
  package let inverseColumn: String?
  /// The column with the row's position among those of the object, if they are ordered.
  package let orderColumn: String?
  /// Whether the column belongs to no relationship of its rows, but to one without inverse of the target.
  package let isHidden: Bool
  /// Whether an object of the table must have the link.
  package let isRequired: Bool
  /// The column of a join table with the key of the object that has the relationship; `nil` in an entity table.
  package let pairedColumn: String?
}

extension StoreSchema {
  package var references: [StoreReference] {
    entityTables.flatMap { references(in: $0) } + joinTables.flatMap { references(in: $0) }
  }

  package var memberOrderings: [MemberOrdering] {
    references.compactMap { link in
      link.orderColumn.map {
        MemberOrdering(
          table: link.table,
          ownerColumn: link.column,
          memberColumn: link.pairedColumn ?? "Z_PK",
          orderColumn: $0,
          isSymmetric: link.pairedColumn != nil && link.property == link.title
        )
      }
    }
  }

  package func references(in table: EntityTable) -> [StoreReference] {
    table.columns.compactMap { column in
      switch column.role {
      case .foreignKey(let key):
        reference(
          along: key,
          in: table.name,
          column.name,
          to: model.relationship(key)?.destinationEntityName,
          entityColumn: self.column(.foreignEntity(key)),
          inverseColumn: inverseColumn(of: key),
          orderColumn: orderColumn(behindToOne: key),
          isRequired: model.relationship(key)?.isOptional == false
        )
      case .hiddenForeignKey(let key):
        reference(
          along: key,
          named: PropertyKey(table.root, key.property),
          in: table.name,
          column.name,
          to: key.entity,
          orderColumn: self.column(.hiddenOrderKey(key)),
          isHidden: true
        )
      case .primaryKey, .entity, .version, .attribute, .foreignEntity, .orderKey, .hiddenOrderKey,
        .unmanaged:
        nil
      }
    }
  }

  /// The two columns of a join table, that of the owner's keys first.
  package func references(in join: JoinTable) -> [StoreReference] {
    [
      (join.inverse, join.owner, join.ownerColumn, join.memberColumn, join.memberOrderColumn),
      (join.owner, join.inverse, join.memberColumn, join.ownerColumn, join.ownerOrderColumn),
    ].compactMap { property, end, column, paired, order in
      reference(
        along: property,
        named: end,
        in: join.name,
        column,
        to: end.entity,
        orderColumn: order,
        pairedColumn: paired
      )
    }
  }

  private func inverseColumn(of key: PropertyKey) -> String? {
    guard let inverse = model.inverseKey(of: key),
      case .foreignKey(_, let column, _) = storage(of: inverse)
    else { return nil }
    return column
  }

  private func reference(
    along property: PropertyKey,
    named title: PropertyKey? = nil,
    in table: String,
    _ column: String,
    to target: String?,
    entityColumn: String? = nil,
    inverseColumn: String? = nil,
    orderColumn: String? = nil,
    isHidden: Bool = false,
    isRequired: Bool = false,
    pairedColumn: String? = nil
  ) -> StoreReference? {
    guard let target, let found = model.entity(named: target).map(self.table) else { return nil }
    let kinds = numbers(ofKindsOf: target)
    return StoreReference(
      property: property,
      title: title ?? property,
      table: table,
      column: column,
      target: target,
      targetTable: found.name,
      entities: entityNumbers(in: found).isSubset(of: kinds) ? nil : kinds.sorted(),
      entityColumn: entityColumn,
      inverseColumn: inverseColumn,
      orderColumn: orderColumn,
      isHidden: isHidden,
      isRequired: isRequired,
      pairedColumn: pairedColumn
    )
  }
}
