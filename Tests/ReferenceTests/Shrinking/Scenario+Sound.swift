extension Scenario {
  /// The scenario without whatever refers to something that is not there.
  var sound: Scenario {
    var result = self
    result.model = model.sound
    result.objects = objects.filter { object in
      result.model.concrete.contains { $0.name == object.entity }
    }.map { result.model.sound($0) }
    result.pairs = pairs.filter { pair in
      guard let relationship = result.model.relationship(pair.relationship) else { return false }
      return relationship.isToMany && result.model.inverse(of: relationship)?.isToMany ?? false
    }
    for index in steps.indices {
      let former = index == 0 ? result.model : result.steps[index - 1].model
      result.steps[index] = steps[index].sound(from: former)
    }
    return result
  }
}

extension ModelSketch {
  fileprivate var sound: ModelSketch {
    var result = self
    for index in result.entities.indices {
      if let parent = entities[index].parent, entity(parent) == nil {
        result.entities[index].parent = nil
      }
      result.entities[index].relationships.removeAll { entity($0.destination) == nil }
      for place in result.entities[index].relationships.indices {
        let inverse = inverse(of: result.entities[index].relationships[place])
        if inverse.map({ entity($0.destination) == nil }) ?? true {
          result.entities[index].relationships[place].inverse = nil
        }
      }
    }
    return result
  }

  /// An object without keys for which its row has no column.
  fileprivate func sound(_ object: ObjectSketch) -> ObjectSketch {
    var result = object
    let names = StoreNames(model: self)
    let lineage = Set(lineage(of: object.entity).map(\.name))
    func column(_ name: String) -> KeyColumn? {
      guard let relationship = relationship(name) else { return nil }
      switch names.storage(of: relationship) {
      case .column(let column): return lineage.contains(owner(of: relationship)) ? column : nil
      case .membersColumn(let column):
        let isHidden = inverse(of: relationship) == nil
        return isHidden && lineage.contains(relationship.destination) ? column : nil
      case .pairs: return nil
      }
    }
    result.keys = object.keys.filter { column($0.key) != nil }
    result.places = object.places.filter { column($0.key)?.place != nil }
    return result
  }
}

extension StepSketch {
  fileprivate func sound(from former: ModelSketch) -> StepSketch {
    var result = self
    result.model = model.sound
    result.mappings = mappings.filter { mapping in
      former.concrete.contains { $0.name == mapping.source }
        && result.model.concrete.contains { $0.name == mapping.destination }
    }
    let names = Set(result.mappings.map(\.name))
    for index in result.mappings.indices {
      let mapping = result.mappings[index]
      result.mappings[index].assignments = mapping.assignments.filter { assignment in
        result.model.relationships(of: mapping.destination)
          .contains { $0.name == assignment.relationship }
          && assignment.value.isSound(names, from: mapping.source, in: former)
      }
    }
    return result
  }
}

extension ValueSketch {
  fileprivate func isSound(
    _ mappings: Set<String>,
    from entity: String,
    in model: ModelSketch
  ) -> Bool {
    switch self {
    case .untouched, .nothing: true
    case .made(let mapping, let path):
      mappings.contains(mapping) && model.end(of: path, from: entity) != nil
    case .madeByAny(let name, let path):
      model.end(of: [name], from: entity) != nil && model.end(of: path, from: entity) != nil
    }
  }
}
