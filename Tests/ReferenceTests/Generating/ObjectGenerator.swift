import BulkTestSupport

/// Makes the rows of a source store by chance.
struct ObjectGenerator {
  private let model: ModelSketch
  /// Whether there are dangling keys, sides that disagree, and positions that are missing or twice.
  private let isDirty: Bool
  private var objects: [ObjectSketch] = []
  private var pairs: [PairSketch] = []
  private var random: SeededGenerator

  /// The rows of a store of a model.
  static func rows(
    of model: ModelSketch,
    _ random: inout SeededGenerator
  ) -> (objects: [ObjectSketch], pairs: [PairSketch]) {
    var generator = ObjectGenerator(model, random)
    generator.addObjects()
    for entity in model.entities {
      for relationship in entity.relationships { generator.link(relationship) }
    }
    random = generator.random
    return (generator.objects, generator.pairs)
  }

  private init(_ model: ModelSketch, _ random: SeededGenerator) {
    self.model = model
    self.random = random
    isDirty = Int.random(in: 0..<5, using: &self.random) < 2
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func addObjects() {
    let most = chance(70) ? 4 : 9
    // Few keys, so that those of different tables meet.
    var keys: [String: [Int64]] = [:]
    for entity in model.entities where entity.superentityName == nil {
      let limit: Int64 = chance(50) ? 30 : 60
      keys[entity.name] = Array(1...limit).shuffled(using: &random)
    }
    for entity in model.concrete {
      for _ in 0..<Int.random(in: 0...most, using: &random) {
        guard let key = keys[model.root(of: entity.name)]?.popLast() else { continue }
        let number = chance(20) ? nil : Int64.random(in: 0...3, using: &random)
        objects.append(ObjectSketch(entity.name, key, n: number))
      }
    }
    objects.sort { ($0.entity, $0.key) < ($1.entity, $1.key) }
  }

  private func indices(of entity: String) -> [Int] {
    let kinds = model.kinds(of: entity)
    return objects.indices.filter { kinds.contains(objects[$0].entity) }
  }

  /// A key of an object of an entity; now and then none, and in a dirty store a dangling one.
  private mutating func key(_ entity: String) -> Int64? {
    if isDirty, chance(10) { return Int64.random(in: 90...95, using: &random) }
    if chance(20) { return nil }
    return indices(of: entity).randomElement(using: &random).map { objects[$0].key }
  }

  // MARK: Links

  private mutating func link(_ relationship: RelationshipDescription) {
    let owner = model.owner(of: relationship)
    let inverse = model.inverse(of: relationship)
    switch (relationship.isToMany, inverse?.isToMany) {
    case (false, false):
      guard let inverse, inverse.name >= relationship.name else { return }
      linkOneToOne(relationship, inverse, owner)
    case (false, nil), (false, true):
      setKeys(relationship, of: owner, to: relationship.destinationEntityName)
      if inverse?.isOrdered ?? false { addPositions(relationship, of: owner) }
    case (true, nil):
      setKeys(relationship, of: relationship.destinationEntityName, to: owner)
      if relationship.isOrdered {
        addPositions(relationship, of: relationship.destinationEntityName)
      }
    case (true, true):
      guard let inverse, inverse.name >= relationship.name else { return }
      addPairs(relationship, inverse, owner)
    case (true, false): return
    }
  }

  private mutating func setKeys(
    _ relationship: RelationshipDescription,
    of holder: String,
    to target: String
  ) {
    let holders = indices(of: holder)
    if holder == target, chance(25) {
      // A chain in which every object leads to the next.
      for (index, next) in zip(holders, holders.dropFirst()) {
        objects[index].keys[relationship.name] = objects[next].key
      }
      return
    }
    for index in holders { objects[index].keys[relationship.name] = key(target) }
  }

  /// Both sides of a one-to-one; in a dirty store each may have keys of its own.
  private mutating func linkOneToOne(
    _ relationship: RelationshipDescription,
    _ inverse: RelationshipDescription,
    _ owner: String
  ) {
    if isDirty, chance(60) {
      setKeys(relationship, of: owner, to: relationship.destinationEntityName)
      if inverse != relationship { setKeys(inverse, of: model.owner(of: inverse), to: owner) }
      return
    }
    let others = indices(of: relationship.destinationEntityName).shuffled(using: &random)
    for (index, other) in zip(indices(of: owner), others) where chance(80) {
      if inverse == relationship,
        objects[index].keys[inverse.name] != nil || objects[other].keys[inverse.name] != nil
      {
        continue
      }
      objects[index].keys[relationship.name] = objects[other].key
      objects[other].keys[inverse.name] = objects[index].key
    }
  }

  /// Places of the members, in an order by chance.
  private mutating func addPositions(_ relationship: RelationshipDescription, of holder: String) {
    var counts: [Int64: Int64] = [:]
    for index in indices(of: holder).shuffled(using: &random) {
      guard let key = objects[index].keys[relationship.name] else {
        if isDirty, chance(20) { objects[index].positions[relationship.name] = 2048 }
        continue
      }
      objects[index].positions[relationship.name] = position(behind: &counts[key, default: 0])
    }
  }

  private mutating func position(behind count: inout Int64) -> Int64? {
    if isDirty, chance(15) { return nil }
    if !isDirty || chance(80) { count += 1 }
    return 1024 + 1024 * max(count, 1)
  }

  private mutating func addPairs(
    _ relationship: RelationshipDescription,
    _ inverse: RelationshipDescription,
    _ owner: String
  ) {
    var known: Set<[Int64]> = []
    var found: [PairSketch] = []
    let count = indices(of: owner).count + indices(of: relationship.destinationEntityName).count
    for _ in 0..<Int.random(in: 0...count, using: &random) {
      guard let one = key(owner), let other = key(relationship.destinationEntityName),
        known.insert([one, other]).inserted
      else { continue }
      found.append(PairSketch(relationship.name, one, other))
      // Newer stores hold a pair of a relationship that is its own inverse in one direction only.
      if inverse == relationship, one != other, chance(50),
        known.insert([other, one]).inserted
      {
        found.append(PairSketch(relationship.name, other, one))
      }
    }
    var counts: [Int64: Int64] = [:]
    var backCounts: [Int64: Int64] = [:]
    for index in found.indices.shuffled(using: &random) where relationship.isOrdered {
      found[index].position = position(behind: &counts[found[index].owner, default: 0])
    }
    for index in found.indices.shuffled(using: &random)
    where inverse.isOrdered && inverse != relationship {
      found[index].ownerPosition = position(behind: &backCounts[found[index].member, default: 0])
    }
    pairs += found
  }
}
