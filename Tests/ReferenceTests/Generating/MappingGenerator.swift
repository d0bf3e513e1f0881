import BulkTestSupport

/// Makes a mapping model between two models by chance.
struct MappingGenerator {
  private let source: ModelSketch
  private let destination: ModelSketch
  /// Whether every entity goes its way, with its relationships, as the editor of mapping models begins.
  private let isCalm: Bool
  private var mappings: [MappingSketch] = []
  private var random: SeededGenerator

  /// A mapping model; the images are the entities that the source's entities have become.
  static func mappings(
    from source: ModelSketch,
    to destination: ModelSketch,
    _ images: [String: String],
    isCalm: Bool,
    _ random: inout SeededGenerator
  ) -> [MappingSketch] {
    var generator = MappingGenerator(
      source: source,
      destination: destination,
      isCalm: isCalm,
      random: random
    )
    generator.addMappings(images)
    generator.addAssignments()
    random = generator.random
    return generator.mappings
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  // MARK: Entity mappings

  private mutating func addMappings(_ images: [String: String]) {
    for entity in source.concrete where isCalm || chance(85) {
      let image = images[entity.name].flatMap { destination.entity($0) }
      if let image, !image.isAbstract { addMapping(entity.name, image.name) }
    }
    guard !isCalm else { return }
    for _ in 0..<([0, 0, 1, 1, 2].randomElement(using: &random) ?? 0) {
      guard
        let entity = source.concrete.randomElement(using: &random),
        let image = destination.concrete.randomElement(using: &random)
      else { continue }
      addMapping(entity.name, image.name)
    }
    if chance(50) { mappings.shuffle(using: &random) }
  }

  private mutating func addMapping(_ entity: String, _ image: String) {
    let name = "\(entity)-\(image)"
    let count = mappings.count { ($0.source, $0.destination) == (entity, image) }
    mappings.append(
      MappingSketch(
        name: count == 0 ? name : "\(name)-\(count + 1)",
        source: entity,
        destination: image,
        filter: chance(isCalm ? 10 : 35) ? filter() : nil,
        assignments: []
      )
    )
  }

  private mutating func filter() -> FilterSketch {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .equal(Int64.random(in: 0...3, using: &random))
    case 1: .hasNumber
    case 2: .hasNoNumber
    default: .above(Int64.random(in: 0...2, using: &random))
    }
  }

  // MARK: Relationship mappings

  private mutating func addAssignments() {
    for index in mappings.indices {
      var relationships = destination.relationships(of: mappings[index].destination)
      if chance(50) { relationships.shuffle(using: &random) }
      for relationship in relationships where isCalm || chance(75) {
        let value = value(relationship, from: mappings[index].source)
        // Most of the others would be refused by a rule.
        let takesFirst = !relationship.isToMany && value.path != nil && chance(75)
        mappings[index].assignments.append(
          .set(relationship.name, value, takesFirst: takesFirst)
        )
      }
    }
  }

  private mutating func value(
    _ relationship: RelationshipDescription,
    from entity: String
  ) -> ValueSketch {
    if isCalm { return calmValue(relationship, from: entity) }
    if chance(4) { return .untouched }
    if chance(5) { return .nothing }
    let path = path(relationship, from: entity)
    let name = path.first ?? source.relationships(of: entity).randomElement(using: &random)?.name
    if let name, chance(45) { return .madeByAny(as: name, path: path) }
    let mapping = mapping(at: source.end(of: path, from: entity) ?? entity)
    return mapping.map { .made(by: $0, path: path) } ?? .nothing
  }

  /// The objects of the relationship of the same name, as the editor of mapping models asks for them.
  private func calmValue(
    _ relationship: RelationshipDescription,
    from entity: String
  ) -> ValueSketch {
    let name = relationship.name
    guard let end = source.end(of: [name], from: entity) else { return .untouched }
    let makers = mappings.filter { $0.source == end }
    guard source.kinds(of: end).count == 1, makers.count == 1 else { return .madeByAny(name) }
    return .made(by: makers[0].name, name)
  }

  /// A path from an entity: the relationship of the same name, or one by chance.
  private mutating func path(
    _ relationship: RelationshipDescription,
    from entity: String
  ) -> [String] {
    if chance(60),
      source.relationships(of: entity).contains(where: { $0.name == relationship.name })
    {
      return [relationship.name]
    }
    let length = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3].randomElement(using: &random) ?? 1
    var path: [String] = []
    var position = entity
    while path.count < length,
      let next = source.relationships(of: position).randomElement(using: &random)
    {
      path.append(next.name)
      position = next.destinationEntityName
    }
    return path
  }

  /// The name of a mapping, mostly one that reads objects that may stand at the end of a path.
  private mutating func mapping(at end: String) -> String? {
    if chance(5) { return mappings.randomElement(using: &random)?.name }
    let fitting = mappings.filter {
      source.kinds(of: end).contains($0.source) || source.kinds(of: $0.source).contains(end)
    }
    return fitting.randomElement(using: &random)?.name
  }
}
