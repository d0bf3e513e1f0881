import BulkTestSupport

extension Scenario {
  /// A scenario by chance, always the same for a seed.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var draft = ModelDraft(&random)
    let model = draft.sketch
    let rows = ObjectGenerator.rows(of: model, &random)
    let names = draft.entities.map(\.name)
    var images = Dictionary(uniqueKeysWithValues: zip(names, names))
    let isCalm = Int.random(in: 0..<10, using: &random) < 2
    if isCalm {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        draft.changeCalmly(&images, &random)
      }
    } else if Int.random(in: 0..<8, using: &random) == 0 {
      draft = ModelDraft(&random)
    } else {
      for _ in 0..<Int.random(in: 0...4, using: &random) { draft.change(&images, &random) }
    }
    let mappings = MappingGenerator.mappings(
      from: model,
      to: draft.sketch,
      images,
      isCalm: isCalm,
      &random
    )
    var step = StepSketch(model: draft.sketch, mappings: mappings)
    if Int.random(in: 0..<20, using: &random) == 0 { step.model.requireOne(&random) }
    self.init(model: model, objects: rows.objects, pairs: rows.pairs, step: step)
  }
}

extension ModelSketch {
  /// Lets a relationship to one, if there is any, be required.
  fileprivate mutating func requireOne(_ random: inout SeededGenerator) {
    let positions = entities.indices.flatMap { entity in
      entities[entity].relationships.indices.map { (entity, $0) }
    }.filter { !entities[$0.0].relationships[$0.1].isToMany }
    guard let (entity, position) = positions.randomElement(using: &random) else { return }
    entities[entity].relationships[position].isOptional = false
  }
}

extension Scenario {
  /// A scenario by chance whose mappings find objects or divide values, always the same for a seed.
  init(sharing seed: UInt64) {
    self.init(seed: seed)
    var random = SeededGenerator(seed: seed ^ 0x5348_4152)
    var shared: Set<String> = []
    for index in step.mappings.indices {
      let isUnique = Int.random(in: 0..<10, using: &random) < 6
      let keepsLast = Bool.random(using: &random)
      let isDivided = Int.random(in: 0..<10, using: &random) < 3
      // Which keys mappings give that share objects, and so their order, is for the project to choose.
      let isFirst = !isUnique || shared.insert(step.mappings[index].destination).inserted
      guard isUnique && isFirst || isDivided else { continue }
      step.mappings[index].sharing = SharingSketch(
        isUnique: isUnique && isFirst,
        keepsLast: keepsLast,
        isDivided: isDivided
      )
    }
  }
}
