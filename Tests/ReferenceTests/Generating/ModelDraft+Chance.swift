import BulkTestSupport

extension ModelDraft {
  private static let names = [
    "Ash", "Birch", "Cedar", "Date", "Elm", "Fir", "Grape", "Hazel", "Iris", "Juniper",
  ]

  /// A model by chance.
  init(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...5, using: &random) { addEntity(&random) }
    for _ in 0..<Int.random(in: 1...4, using: &random) { addPair(&random) }
  }

  private mutating func addEntity(_ random: inout SeededGenerator) {
    let free = Self.names.filter { name in !entities.contains { $0.name == name } }
    guard let name = free.randomElement(using: &random) else { return }
    let parents = entities.map(\.name).filter { depth(of: $0) < 3 }
    let isRoot = Int.random(in: 0..<5, using: &random) < 2
    let parent = isRoot ? nil : parents.randomElement(using: &random)
    entities.append(Entity(name: name, parent: parent))
    if let parent, Int.random(in: 0..<8, using: &random) == 0,
      let index = entities.firstIndex(where: { $0.name == parent })
    {
      entities[index].isAbstract = true
    }
  }

  private mutating func addPair(_ random: inout SeededGenerator) {
    guard
      let owner = entities.randomElement(using: &random),
      let destination = entities.randomElement(using: &random)
    else { return }
    let number = (pairs.map(\.number).max() ?? 0) + 1
    pairs.append(
      Pair(
        number: number,
        owner: owner.name,
        destination: destination.name,
        kind: .random(&random)
      )
    )
  }

  /// Makes a change by chance that leaves relationships as they are.
  mutating func changeCalmly(_ images: inout [String: String], _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0, 1: rename(&images, &random)
    case 2: addEntity(&random)
    default: addPair(&random)
    }
  }

  /// Makes a change by chance; the images of the entities of the model before follow it.
  mutating func change(_ images: inout [String: String], _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: rename(&images, &random)
    case 1: remove(&random)
    case 2: addEntity(&random)
    case 3: move(&random)
    case 4: merge(&images, &random)
    case 5, 6, 7: changeKind(&random)
    case 8: changeEnds(&random)
    case 9: loseInverse(&random)
    case 10: addPair(&random)
    default: pairs = pairs.shuffled(using: &random)
    }
  }

  private mutating func rename(
    _ images: inout [String: String],
    _ random: inout SeededGenerator
  ) {
    guard let old = entities.randomElement(using: &random)?.name else { return }
    let new = (Bool.random(using: &random) ? "A" : "Z") + old.lowercased()
    guard !entities.contains(where: { $0.name == new }) else { return }
    replace(old, by: new)
    for index in entities.indices where entities[index].name == old { entities[index].name = new }
    for (source, image) in images where image == old { images[source] = new }
  }

  private mutating func replace(_ old: String, by new: String) {
    for index in entities.indices where entities[index].parent == old {
      entities[index].parent = new
    }
    for index in pairs.indices {
      if pairs[index].owner == old { pairs[index].owner = new }
      if pairs[index].destination == old { pairs[index].destination = new }
    }
  }

  private mutating func remove(_ random: inout SeededGenerator) {
    let leaves = entities.filter { children(of: $0.name).isEmpty }
    guard entities.count > 1, let name = leaves.randomElement(using: &random)?.name else { return }
    entities.removeAll { $0.name == name }
    pairs.removeAll { $0.owner == name || $0.destination == name }
  }

  /// Moves an entity in the hierarchy, with those below it.
  private mutating func move(_ random: inout SeededGenerator) {
    guard let index = entities.indices.randomElement(using: &random) else { return }
    let below = sketch.kinds(of: entities[index].name)
    let parents = entities.map(\.name).filter { depth(of: $0) < 3 && !below.contains($0) }
    entities[index].parent =
      Bool.random(using: &random) ? nil : parents.randomElement(using: &random)
    while let deep = entities.firstIndex(where: { depth(of: $0.name) > 3 }) {
      entities[deep].parent = nil
    }
  }

  /// Lets the objects of two entities become objects of one.
  private mutating func merge(
    _ images: inout [String: String],
    _ random: inout SeededGenerator
  ) {
    let leaves = entities.filter { children(of: $0.name).isEmpty }
    guard
      let gone = leaves.randomElement(using: &random)?.name,
      let kept = entities.filter({ $0.name != gone }).randomElement(using: &random)?.name
    else { return }
    entities.removeAll { $0.name == gone }
    replace(gone, by: kept)
    for (source, image) in images where image == gone { images[source] = kept }
  }

  private mutating func changeKind(_ random: inout SeededGenerator) {
    guard let index = pairs.indices.randomElement(using: &random) else { return }
    pairs[index].kind = .random(&random)
  }

  private mutating func changeEnds(_ random: inout SeededGenerator) {
    guard let index = pairs.indices.randomElement(using: &random) else { return }
    let pair = pairs[index]
    let owner = relatives(of: pair.owner).randomElement(using: &random)
    let destination = relatives(of: pair.destination).randomElement(using: &random)
    pairs[index].owner = owner ?? pair.owner
    pairs[index].destination = destination ?? pair.destination
  }

  private mutating func loseInverse(_ random: inout SeededGenerator) {
    guard let index = pairs.indices.randomElement(using: &random) else { return }
    switch pairs[index].kind {
    case .both(let one, _), .ownInverse(let one): pairs[index].kind = .single(one)
    case .single(let one): pairs[index].kind = .both(one, .random(&random))
    }
  }
}

extension PairKind {
  fileprivate static func random(_ random: inout SeededGenerator) -> PairKind {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: .single(.random(&random))
    case 2: .ownInverse(.random(&random))
    default: .both(.random(&random), .random(&random))
    }
  }
}

extension Multiplicity {
  fileprivate static func random(_ random: inout SeededGenerator) -> Multiplicity {
    [.one, .one, .many, .many, .ordered].randomElement(using: &random) ?? .one
  }
}
