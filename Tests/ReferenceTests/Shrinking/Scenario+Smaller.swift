extension Scenario {
  /// Scenarios that have a little less each, those that have much less first.
  var smaller: [Scenario] {
    var edits: [(inout Scenario) -> Void] = []
    edits += mappingEdits + objectEdits + pairEdits
    edits += model.smaller.map { model in { $0.model = model } }
    for (step, sketch) in steps.enumerated() {
      edits += sketch.model.smaller.map { model in { $0.steps[step].model = model } }
    }
    edits += assignmentEdits + cellEdits
    return edits.map { edit in
      var scenario = self
      edit(&scenario)
      return scenario.sound
    }.filter { $0 != self }.withoutRepetition
  }

  private typealias Edit = (inout Scenario) -> Void

  private var mappingEdits: [Edit] {
    steps.indices.flatMap { step in
      steps[step].mappings.indices.map { mapping in
        { $0.steps[step].mappings.remove(at: mapping) }
      }
    }
  }

  private var objectEdits: [Edit] {
    let half = objects.count / 2
    var edits: [Edit] = []
    if half > 1 {
      edits.append { $0.objects.removeFirst(half) }
      edits.append { $0.objects.removeLast(half) }
    }
    return edits + objects.indices.map { object in { $0.objects.remove(at: object) } }
  }

  private var pairEdits: [Edit] {
    var edits: [Edit] = pairs.isEmpty ? [] : [{ $0.pairs = [] }]
    for pair in pairs.indices {
      edits.append { $0.pairs.remove(at: pair) }
      edits.append { $0.pairs[pair].place = nil }
      edits.append { $0.pairs[pair].ownerPlace = nil }
    }
    return edits
  }

  private var assignmentEdits: [Edit] {
    var edits: [Edit] = []
    for step in steps.indices {
      for mapping in steps[step].mappings.indices {
        edits.append { $0.steps[step].mappings[mapping].filter = nil }
        for assignment in steps[step].mappings[mapping].assignments.indices {
          edits.append { $0.steps[step].mappings[mapping].assignments.remove(at: assignment) }
        }
      }
    }
    return edits
  }

  private var cellEdits: [Edit] {
    var edits: [Edit] = []
    for object in objects.indices {
      edits.append { $0.objects[object].number = nil }
      for name in objects[object].keys.keys.sorted() {
        edits.append { $0.objects[object].keys[name] = nil }
      }
      for name in objects[object].places.keys.sorted() {
        edits.append { $0.objects[object].places[name] = nil }
      }
    }
    return edits
  }
}

extension ModelSketch {
  /// Models that have a little less each.
  fileprivate var smaller: [ModelSketch] {
    var result: [ModelSketch] = []
    for (index, entity) in entities.enumerated() {
      result.append(changed { $0.entities.remove(at: index) })
      if let parent = entity.parent {
        result.append(changed { $0.entities[index].parent = self.entity(parent)?.parent })
      }
      if entity.isAbstract { result.append(changed { $0.entities[index].isAbstract = false }) }
      for (place, relationship) in entity.relationships.enumerated() {
        result.append(changed { $0.remove([relationship.name, relationship.inverse]) })
        if relationship.inverse != nil {
          result.append(changed { $0.remove([relationship.name]) })
        }
        if relationship.isRequired {
          result.append(changed { $0.entities[index].relationships[place].isRequired = false })
        }
        if relationship.isOrdered {
          result.append(changed { $0.entities[index].relationships[place].isOrdered = false })
        }
      }
    }
    return result
  }

  private func changed(_ edit: (inout ModelSketch) -> Void) -> ModelSketch {
    var result = self
    edit(&result)
    return result
  }

  private mutating func remove(_ names: [String?]) {
    for index in entities.indices {
      entities[index].relationships.removeAll { names.contains($0.name) }
    }
  }
}
