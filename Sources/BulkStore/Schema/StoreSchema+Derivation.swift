internal import BulkSupport
internal import BulkModel

extension StoreSchema {
  /// The derived attributes of the model, except those that Core Data cannot derive.
  package var derivedAttributes: [DerivedAttribute] {
    persistentlyDerived.compactMap { derivedAttribute($0, of: $1) }
  }

  /// The derived attributes that Core Data cannot derive: it refuses their model with error 134097.
  package var underivable: [PropertyKey] {
    persistentlyDerived.filter { derivedAttribute($0, of: $1) == nil }
      .map { PropertyKey($1.name, $0.name) }
  }

  private var persistentlyDerived: [(AttributeDescription, of: EntityDescription)] {
    numbering.entities.flatMap { entity in
      entity.attributes.filter { $0.isDerived && !$0.isTransient }.map { ($0, of: entity) }
    }
  }

  private func derivedAttribute(
    _ attribute: AttributeDescription,
    of entity: EntityDescription
  ) -> DerivedAttribute? {
    let key = PropertyKey(entity.name, attribute.name)
    guard
      let column = column(.attribute(key)),
      let derivation = derivation(of: attribute, in: entity)
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
    of attribute: AttributeDescription,
    in entity: EntityDescription
  ) -> DerivedAttribute.Derivation? {
    guard attribute.filteringPredicate == nil else { return nil }
    switch attribute.derivationExpression {
    case .predefined("now", arguments: []): return .now
    case .predefined("random", arguments: []): return .random(mask: attribute.randomMask)
    case .predefined(let selector, arguments: let arguments):
      guard arguments.count == 1, case .keyPath(let path, of: .evaluatedObject) = arguments[0]
      else { return nil }
      if let function = TextFunction(rawValue: selector) {
        return value(path, function, in: entity)
      }
      return members(path.split(separator: ".").map(String.init), selector, in: entity)
    case .keyPath(let path, of: .evaluatedObject):
      let names = path.split(separator: ".").map(String.init)
      guard let index = names.firstIndex(where: { $0.hasPrefix("@") }) else {
        return value(path, nil, in: entity)
      }
      let others = Array(names[..<index] + names[(index + 1)...])
      return members(others, "\(names[index].dropFirst()):", in: entity)
    case .constant, .classConstant, .evaluatedObject, .variable, .keyPath, .function, .symbol,
      .aggregate, .set, .subquery, .ternary, .fetch, nil:
      return nil
    }
  }

  private func value(
    _ path: String,
    _ function: TextFunction?,
    in entity: EntityDescription
  ) -> DerivedAttribute.Derivation? {
    let own = stored(path, in: entity)
    let names = path.split(separator: ".").map(String.init)
    let rows = names.count == 2 ? links(names[0], of: entity, areToMany: false) : nil
    guard let found = own ?? rows.flatMap({ stored(names[1], in: $0.target) }),
      function == nil || found.type == .string
    else { return nil }
    return .value(of: found.column, along: own == nil ? rows?.rows : nil, function)
  }

  private func members(
    _ names: [String],
    _ selector: String,
    in entity: EntityDescription
  ) -> DerivedAttribute.Derivation? {
    guard let aggregate = Self.aggregates[selector],
      let first = names.first, let (rows, target) = links(first, of: entity, areToMany: true)
    else { return nil }
    if names.count == 1 { return aggregate == .count ? .members(rows, .count, of: nil) : nil }
    guard names.count == 2, !rows.isJoinTable, let found = stored(names[1], in: target),
      aggregate != .sum || found.type.isNumber
    else { return nil }
    // The true ones are counted.
    let isSum = aggregate == .count && found.type == .boolean
    return .members(rows, isSum ? .sum : aggregate, of: found.column)
  }

  private static let aggregates: [String: DerivedAttribute.Aggregate] = [
    "count:": .count, "sum:": .sum, "min:": .least, "max:": .greatest,
  ]

  private func stored(
    _ name: String,
    in entity: EntityDescription
  ) -> (column: String, type: AttributeType)? {
    for owner in model.lineage(of: entity) {
      let key = PropertyKey(owner.name, name)
      guard let attribute = model.attribute(key) else { continue }
      guard !attribute.isDerived, let column = column(.attribute(key)) else { return nil }
      return (column, attribute.attributeType)
    }
    return nil
  }

  private func links(
    _ name: String,
    of entity: EntityDescription,
    areToMany: Bool
  ) -> (rows: RelationshipRows, target: EntityDescription)? {
    guard let found = model.relationship(named: name, of: entity),
      found.relationship.isToMany == areToMany,
      let rows = rows(of: PropertyKey(found.owner.name, name)),
      let target = model.entity(named: found.relationship.destinationEntityName)
    else { return nil }
    return (rows, target)
  }
}

extension AttributeDescription {
  /// The bits of a random number that are kept: 31, as `random()` has elsewhere, or as many as the type holds.
  fileprivate var randomMask: Int64 {
    switch attributeType {
    case .boolean: 1
    case .integer16: 0x7fff
    default: 0x7fff_ffff
    }
  }
}
