internal import BulkMapping
package import BulkModel
package import BulkStore

/// Locates the inputs of expressions in a store, in SQL over a source row.
package struct InputCompiler: Sendable {
  package let source: StoreSchema

  package init(_ source: StoreSchema) { self.source = source }

  package struct StoredAttribute {
    /// In SQL over a row of the entity where a path to it begins.
    package let expression: ColumnExpression
    package let attribute: AttributeDescription

    /// The value in the attribute's type.
    ///
    /// A column of integers or Booleans may hold other numbers (formats/migration.md 2.6).
    var value: ColumnExpression {
      switch attribute.attributeType.kind {
      case .integer: .whole(expression)
      case .boolean: .isNonzero(.whole(expression))
      default: expression
      }
    }
  }

  /// The end of a path of to-one relationships.
  struct End {
    let key: ColumnExpression
    let entity: EntityDescription
    let isRow: Bool
  }

  /// `nil` where a relationship is not stored.
  func end(of path: some Sequence<String>, from entity: EntityDescription) -> End? {
    var end = End(key: .column("Z_PK"), entity: entity, isRow: true)
    for name in path {
      guard
        let found = source.model.relationship(named: name, of: end.entity),
        let target = source.model.entity(named: found.relationship.destinationEntityName),
        case .foreignKey(_, let column, _)? = source.storage(
          of: PropertyKey(found.owner.name, name)
        )
      else { return nil }
      end = End(key: value(of: column, at: end), entity: target, isRow: false)
    }
    return end
  }

  func value(of column: String, at end: End) -> ColumnExpression {
    end.isRow
      ? .column(column)
      : .columnOfRow(column, in: source.table(of: end.entity).name, key: end.key)
  }

  func attribute(_ path: [String], from entity: EntityDescription) -> StoredAttribute? {
    guard let name = path.last, let end = end(of: path.dropLast(), from: entity),
      let found = source.model.leaf(named: name, of: end.entity),
      let column = source.column(.attribute(PropertyKey(found.owner.name, name)))
    else { return nil }
    return StoredAttribute(expression: value(of: column, at: end), attribute: found.attribute)
  }

  /// `nil` where the path does not end at a stored attribute.
  package func attribute(_ path: String, from entity: EntityDescription) -> StoredAttribute? {
    attribute(
      path.split(separator: ".", omittingEmptySubsequences: false).map(String.init),
      from: entity
    )
  }

  func members(
    _ path: [String],
    from entity: EntityDescription
  ) -> (members: RelationshipRows, owner: End)? {
    guard
      let name = path.last, let end = end(of: path.dropLast(), from: entity),
      let found = source.model.relationship(named: name, of: end.entity),
      let rows = source.rows(of: PropertyKey(found.owner.name, name)), !rows.isInNearRow
    else { return nil }
    return (rows, end)
  }
}

extension InputCompiler {
  /// Adds the columns and the queries that the input needs.
  ///
  /// Throws ``ExpressionFault/unsupportedExpression(_:)`` if the store does not have it.
  func reading(
    of input: SourceInput,
    from entity: EntityDescription,
    _ columns: inout [SelectedColumn],
    _ queries: inout [MemberQuery]
  ) throws(ExpressionFault) -> InputReading {
    switch input.content {
    case .attribute:
      guard let found = attribute(input.path, from: entity) else {
        throw Self.notStored(input)
      }
      let column = SelectedColumn(found.expression, of: found.attribute)
      return .attribute(column: columns.index(adding: column))
    case .presence:
      guard let found = attribute(input.path, from: entity) else { throw Self.notStored(input) }
      let value = ColumnExpression.onlyWith(.number(1), key: found.expression)
      return .attribute(column: columns.index(adding: SelectedColumn(value, .wholeNumber)))
    case .element: return .element
    case .object:
      guard let end = end(of: input.path, from: entity) else { throw Self.notStored(input) }
      let members = try input.members.map { member throws(ExpressionFault) in
        let whole = SourceInput(input.path + member.path, member.content, members: member.members)
        return try reading(of: whole, from: entity, &columns, &queries)
      }
      let number = value(of: "Z_ENT", at: end)
      return .object(
        key: columns.index(adding: SelectedColumn(end.key, .wholeNumber)),
        entityNumber: columns.index(adding: SelectedColumn(number, .wholeNumber)),
        members: members
      )
    case .objects(let target, let isOrdered):
      guard
        let (rows, owner) = members(input.path, from: entity),
        let target = source.model.entity(named: target)
      else { throw Self.notStored(input) }
      var inner = [SelectedColumn(.column("Z_ENT"), .wholeNumber)]
      let members = try input.members.map { member throws(ExpressionFault) in
        try reading(of: member, from: target, &inner, &queries)
      }
      return .objects(
        owner: columns.index(adding: SelectedColumn(owner.key, .wholeNumber)),
        query: queries.index(adding: MemberQuery(rows, inner)),
        isOrdered ? .orderedSet : .set,
        members: members,
        isShared: !owner.isRow
      )
    }
  }

  private static func notStored(_ input: SourceInput) -> ExpressionFault {
    .unsupportedExpression("\(input.path.joined(separator: ".")), which the store does not hold,")
  }
}
