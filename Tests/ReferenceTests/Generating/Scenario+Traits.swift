import BulkModel

/// Something that a scenario may have, so that a summary tells what was tried.
enum Trait: String, CaseIterable, Sendable {
  case hierarchy
  case toOne = "to-one"
  case toMany = "to-many"
  case ordered
  case oneToOne = "one-to-one"
  case manyToMany = "many-to-many"
  case orderedManyToMany = "ordered many-to-many"
  case toOneAlone = "to-one without inverse"
  case toManyAlone = "to-many without inverse"
  case orderedAlone = "ordered without inverse"
  case ownInverseToOne = "to-one, its own inverse"
  case ownInverseToMany = "to-many, its own inverse"
  case toItself = "to the own entity"
  case required = "to-one that is required"
  case filter
  case severalOfOne = "several mappings of one entity"
  case severalIntoOne = "several mappings into one entity"
  case named = "of a named mapping"
  case unnamed = "of any mapping"
  case source = "of the source itself"
  case twoSteps = "path of two steps"
  case threeSteps = "path of three steps"
  case first = "first of several"
  case nothing = "NULL"
  case untouched = "no expression"
  case danglingKey = "dangling key"
}

extension Scenario {
  /// What it has.
  var traits: Set<Trait> {
    var result = step.model.traits.union(step.mappingTraits)
    let keys = Set(objects.map { RowID(root: model.root(of: $0.entity), key: $0.key) })
    let isDangling = objects.contains { object in
      object.keys.contains { name, key in
        guard let relationship = model.relationship(name) else { return false }
        let end =
          relationship.isToMany ? model.owner(of: relationship) : relationship.destinationEntityName
        return !keys.contains(RowID(root: model.root(of: end), key: key))
      }
    }
    if isDangling { result.insert(.danglingKey) }
    return result
  }
}

extension ModelSketch {
  fileprivate var traits: Set<Trait> {
    var result: Set<Trait> = entities.contains { $0.superentityName != nil } ? [.hierarchy] : []
    for entity in entities {
      for relationship in entity.relationships {
        result.formUnion(traits(of: relationship))
        if root(of: relationship.destinationEntityName) == root(of: entity.name) {
          result.insert(.toItself)
        }
      }
    }
    return result
  }

  private func traits(of relationship: RelationshipDescription) -> Set<Trait> {
    var result: Set<Trait> = [relationship.isToMany ? .toMany : .toOne]
    if relationship.isOrdered { result.insert(.ordered) }
    if !relationship.isOptional { result.insert(.required) }
    guard let inverse = inverse(of: relationship) else {
      result.insert(relationship.isToMany ? .toManyAlone : .toOneAlone)
      if relationship.isOrdered { result.insert(.orderedAlone) }
      return result
    }
    switch (relationship.isToMany, inverse.isToMany) {
    case (true, true): result.insert(.manyToMany)
    case (false, false): result.insert(.oneToOne)
    case (true, false), (false, true): break
    }
    if inverse.isToMany, relationship.isOrdered { result.insert(.orderedManyToMany) }
    if inverse == relationship {
      result.insert(relationship.isToMany ? .ownInverseToMany : .ownInverseToOne)
    }
    return result
  }
}

extension StepSketch {
  fileprivate var mappingTraits: Set<Trait> {
    var result: Set<Trait> = []
    if Set(mappings.map(\.source)).count < mappings.count { result.insert(.severalOfOne) }
    if Set(mappings.map(\.destination)).count < mappings.count { result.insert(.severalIntoOne) }
    for mapping in mappings {
      if mapping.filter != nil { result.insert(.filter) }
      for assignment in mapping.assignments {
        result.formUnion(assignment.value.traits)
        if assignment.takesFirst { result.insert(.first) }
      }
    }
    return result
  }
}

extension ValueSketch {
  fileprivate var traits: Set<Trait> {
    let kind: Trait =
      switch self {
      case .untouched: .untouched
      case .nothing: .nothing
      case .made: .named
      case .madeByAny: .unnamed
      }
    switch path?.count {
    case 0: return [kind, .source]
    case 2: return [kind, .twoSteps]
    case 3: return [kind, .threeSteps]
    case nil, _: return [kind]
    }
  }
}
