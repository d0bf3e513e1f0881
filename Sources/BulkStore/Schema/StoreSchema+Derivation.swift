internal import BulkModel

extension StoreSchema {
  /// The derived attributes that triggers update: counts of a to-many relationship and values across a
  /// to-one relationship.
  ///
  /// Other derivations were never seen in a store; their values are copied unchanged.
  package var derivedAttributes: [DerivedAttribute] {
    numbering.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        guard !attribute.isTransient, let expression = attribute.derivationExpression else {
          return nil
        }
        return derivedAttribute(attribute, from: expression, of: entity)
      }
    }
  }

  /// The derived attributes with other derivations.
  package var underivable: [PropertyKey] {
    let derivable = Set(derivedAttributes.map(\.key))
    return numbering.entities.flatMap { entity in
      entity.attributes.filter { $0.isDerived && !$0.isTransient }
        .map { PropertyKey(entity.name, $0.name) }
        .filter { !derivable.contains($0) }
    }
  }

  private func derivedAttribute(
    _ attribute: AttributeDescription,
    from expression: ValueExpression,
    of entity: EntityDescription
  ) -> DerivedAttribute? {
    let key = PropertyKey(entity.name, attribute.name)
    guard
      let column = column(.attribute(key)),
      let derivation = derivation(expression, of: entity)
    else { return nil }
    let numbers = model.hierarchy(from: entity).map { numbering.number(of: $0.name) }
    let first = numbering.number(of: entity.name)
    return DerivedAttribute(
      key: key,
      table: table(of: entity).name,
      column: column,
      derivation: derivation,
      entityNumbers: first...(numbers.max() ?? first),
      sharesTable: entity.superentityName != nil
    )
  }

  private func derivation(
    _ expression: ValueExpression,
    of entity: EntityDescription
  ) -> DerivedAttribute.Derivation? {
    switch expression {
    case .predefined(selector: "count:", arguments: let arguments):
      guard
        arguments.count == 1, case .keyPath(let name, of: .evaluatedObject) = arguments[0],
        let found = model.relationship(named: name, of: entity),
        case .inverse(let toOne, _) = storage(
          of: PropertyKey(found.owner.name, found.relationship.name)
        ),
        case .foreignKey(let table, let column, _) = storage(of: toOne)
      else { return nil }
      return .count(table: table, foreignKey: column)
    case .keyPath(let path, of: .evaluatedObject):
      let names = path.split(separator: ".").map(String.init)
      guard
        names.count == 2,
        let found = model.relationship(named: names[0], of: entity),
        case .foreignKey(_, let foreignKey, _) = storage(
          of: PropertyKey(found.owner.name, found.relationship.name)
        ),
        let target = model.entity(named: found.relationship.destinationEntityName),
        let column = column(named: names[1], in: target)
      else { return nil }
      return .lookup(foreignKey: foreignKey, table: table(of: target).name, column: column)
    case .constant, .classConstant, .evaluatedObject, .variable, .keyPath, .function, .predefined,
      .symbol, .aggregate, .set, .subquery, .ternary, .fetch, .assignment:
      return nil
    }
  }
}
