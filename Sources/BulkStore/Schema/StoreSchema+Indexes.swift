package import BulkModel

extension StoreSchema {
  /// The indexes of the store, in the order in which Core Data makes them.
  ///
  /// They follow from the model; the indexes of an existing store are ignored.
  package var indexes: [SchemaIndex] {
    var seen: Set<String> = []
    return entityTables.flatMap { indexes(of: $0) }.filter { seen.insert($0.name).inserted }
  }

  private func indexes(of table: EntityTable) -> [SchemaIndex] {
    guard let root = model.entity(named: table.root) else { return [] }
    let entities = model.numberedHierarchy(from: root)
    let names = Set(entities.map(\.name))
    let joins = joinTables.filter { names.contains($0.owner.entity) }
    let byEntity = entities.count > 1 && !root.omitsEntityIndex ? [entityIndex(of: table)] : []
    return keyIndexes(of: table)
      + joins.filter { $0.owner.entity == root.name }.flatMap(indexes)
      + byEntity
      + joins.filter { $0.owner.entity != root.name }.flatMap(indexes)
      + entities.flatMap { fetchIndexes(of: $0, in: table) }
      + entities.flatMap { uniquenessIndexes(of: $0, in: table) }
  }

  /// The indexes over entity numbers that models leave out, which an older version of Core Data may have made.
  var omittedEntityIndexes: [SchemaIndex] {
    entityTables.filter { model.entity(named: $0.root)?.omitsEntityIndex == true }
      .map(entityIndex)
  }

  private func entityIndex(of table: EntityTable) -> SchemaIndex { index("Z_ENT", of: table.name) }

  /// An index over one column, in the form that Core Data gives to keys.
  private func index(_ column: String, of table: String) -> SchemaIndex {
    SchemaIndex(
      name: "\(table)_\(column)_INDEX",
      table: table,
      terms: [.init(column)],
      style: .plain
    )
  }

  private func indexes(of join: JoinTable) -> [SchemaIndex] {
    let keys = join.primaryKey.reversed().map { SchemaIndex.Term($0) }
    let positions = [(join.owner, join.memberOrderColumn), (join.inverse, join.ownerOrderColumn)]
    return [SchemaIndex(name: join.indexName, table: join.name, terms: keys, style: .plain)]
      + positions.compactMap { key, column in
        indexesPositions(of: key) ? column.map { index($0, of: join.name) } : nil
      }
  }

  private func keyIndexes(of table: EntityTable) -> [SchemaIndex] {
    table.columns.filter { column in
      switch column.role {
      case .foreignKey, .hiddenForeignKey: true
      case .orderKey(let key), .hiddenOrderKey(let key): indexesPositions(of: key)
      case .primaryKey, .entity, .version, .attribute, .foreignEntity, .unmanaged: false
      }
    }.map { index($0.name, of: table.name) }
  }

  /// Whether the positions of an ordered relationship have an index.
  ///
  /// Stores with one have not been seen, so its name and statement follow the indexes of keys.
  private func indexesPositions(of key: PropertyKey) -> Bool {
    model.relationship(key)?.userInfo[UserInfoKey.indexesPositions] != nil
  }

  private func fetchIndexes(of entity: EntityDescription, in table: EntityTable) -> [SchemaIndex] {
    entity.effectiveIndexes.compactMap { index in
      // A relationship alone has its index as a foreign key, or no column at all.
      if index.elements.count == 1, case .property(let name) = index.elements[0].subject,
        model.relationship(named: name, of: entity) != nil
      {
        return nil
      }
      guard index.elements.allSatisfy({ $0.kind == .binary }) else { return nil }
      let terms = index.elements.compactMap { term(of: $0, in: entity) }
      guard !terms.isEmpty, terms.count == index.elements.count else { return nil }
      var condition: String?
      if let predicate = index.partialIndexPredicate {
        condition = PartialIndexCondition { column(named: $0, in: entity) }.sql(predicate)
        guard condition != nil else { return nil }
      }
      return SchemaIndex(
        name: "Z_\(entity.name)_\(index.name)",
        table: table.name,
        terms: terms,
        condition: condition,
        style: .collated
      )
    }
  }

  private func term(
    of element: FetchIndexDescription.Element,
    in entity: EntityDescription
  ) -> SchemaIndex.Term? {
    let column: String? =
      switch element.subject {
      case .property(let name): self.column(named: name, in: entity)
      case .expression(.evaluatedObject): "Z_PK"
      case .expression(.keyPath("entity", of: .evaluatedObject)): "Z_ENT"
      case .expression: nil
      }
    return column.map { SchemaIndex.Term($0, isAscending: element.isAscending) }
  }

  private func uniquenessIndexes(
    of entity: EntityDescription,
    in table: EntityTable
  ) -> [SchemaIndex] {
    entity.uniquenessConstraints.compactMap { constraint in
      let terms = constraint.compactMap { column(named: $0, in: entity) }
        .map { SchemaIndex.Term($0) }
      guard !terms.isEmpty, terms.count == constraint.count else { return nil }
      return SchemaIndex(
        name: "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))",
        table: table.name,
        terms: terms,
        isUnique: true,
        style: .collated
      )
    }
  }

  /// The column of a property of an entity, own or inherited; `nil` if it has none in its table.
  package func column(named property: String, in entity: EntityDescription) -> String? {
    for above in model.lineage(of: entity) {
      let key = PropertyKey(above.name, property)
      if let found = column(.attribute(key)) ?? column(.foreignKey(key)) {
        return found
      }
    }
    return nil
  }
}

extension EntityDescription {
  fileprivate var omitsEntityIndex: Bool {
    ["YES", "1"].contains(userInfo[UserInfoKey.omitsEntityIndex]?.uppercased())
  }

  /// The fetch indexes; if there are none, those that newer versions of Core Data make from old-style
  /// settings.
  ///
  /// The index of an attribute marked as indexed has the attribute's name; that of a compound index is
  /// named `a_b`.
  var effectiveIndexes: [FetchIndexDescription] {
    guard indexes.isEmpty else { return indexes }
    let single = attributes.filter { $0.isIndexed && !$0.isTransient }
      .map { FetchIndexDescription($0.name, elements: [.init(.property($0.name))]) }
    let compound = compoundIndexes.map { names in
      FetchIndexDescription(
        names.joined(separator: "_"),
        elements: names.map { .init(.property($0)) }
      )
    }
    return single + compound
  }
}
