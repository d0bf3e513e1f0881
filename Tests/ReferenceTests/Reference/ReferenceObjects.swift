import BulkModel

/// Destination objects and their relationships, which keep their inverses as Core Data does.
struct ReferenceObjects {
  /// An object that a mapping made.
  struct Object {
    let entity: String
    let marks: Marks
    let number: Int64?
  }

  /// What a relationship is, seen from its owners.
  private struct Side {
    let isToMany: Bool
    let inverse: String?
  }

  let model: ModelSketch
  private(set) var objects: [Object] = []
  private var sides: [String: Side] = [:]
  private var members: [[String: [Int]]] = []
  /// How often a source object gave several objects to a relationship of one (formats/migration.md 8.11).
  private var ambiguities = 0

  init(of model: ModelSketch) {
    self.model = model
    for relationship in model.entities.flatMap(\.relationships) {
      var inverse = relationship.inverseName
      if inverse == nil, relationship.isToMany {
        // A member's row has space for one owner, as if a relationship to one led back.
        inverse = "owner in " + relationship.name
        sides["owner in " + relationship.name] =
          Side(isToMany: false, inverse: relationship.name)
      }
      sides[relationship.name] = Side(isToMany: relationship.isToMany, inverse: inverse)
    }
  }

  /// Adds an object whose relationships are empty.
  ///
  /// - Returns: Its index, by which relationships refer to it.
  mutating func insert(_ object: Object) -> Int {
    objects.append(object)
    members.append([:])
    return objects.count - 1
  }

  /// The members of an object's relationship; of one to one at most one.
  func members(of name: String, _ object: Int) -> [Int] { members[object][name] ?? [] }

  /// The members of all objects whose relationship is not empty, by the objects' marks; without an order
  /// sorted by their marks.
  func links(of name: String) -> [String: [String]] {
    var result: [String: [String]] = [:]
    for (index, object) in objects.enumerated() {
      let found = members(of: name, index).map { objects[$0].marks.description }
      guard !found.isEmpty else { continue }
      let isOrdered = model.relationship(name)?.isOrdered ?? false
      result[object.marks.description] = isOrdered ? found : found.sorted()
    }
    return result
  }

  /// How many relationships to one are nil and must not be, or were given several objects.
  var violations: Int {
    objects.enumerated().reduce(ambiguities) { count, object in
      let required = model.relationships(of: object.element.entity).filter({ !$0.isOptional })
      return count + required.count { members(of: $0.name, object.offset).isEmpty }
    }
  }

  /// Sets a relationship: one to many unites a collection with the existing one (formats/migration.md 8.10), one to one
  /// takes the first.
  mutating func set(_ name: String, of object: Int, to collection: [Int]) {
    guard let side = sides[name] else { return }
    let old = members(of: name, object)
    let new = side.isToMany ? (collection + old).withoutRepetition : Array(collection.prefix(1))
    if let inverse = side.inverse {
      for member in old where !new.contains(member) { remove(object, from: inverse, of: member) }
    }
    members[object][name] = new
    if let inverse = side.inverse {
      for member in new where !old.contains(member) { add(object, to: inverse, of: member) }
    }
  }

  /// Notes that a source object gives several objects to a relationship of one.
  mutating func refuse() { ambiguities += 1 }

  /// Puts the members of a relationship into the order of their places; equal ones stay as they are.
  mutating func order(_ name: String, of object: Int, by position: (Int) -> Int64) {
    let found = members(of: name, object)
    guard found.count > 1 else { return }
    let sorted = found.enumerated().sorted {
      (position($0.element), $0.offset) < (position($1.element), $1.offset)
    }
    members[object][name] = sorted.map(\.element)
  }

  private mutating func remove(_ member: Int, from name: String, of object: Int) {
    members[object][name, default: []].removeAll { $0 == member }
  }

  /// Lets an object into the relationship of another, whose inverse has it already.
  private mutating func add(_ member: Int, to name: String, of object: Int) {
    guard let side = sides[name] else { return }
    let old = members(of: name, object)
    guard !old.contains(member) else { return }
    if side.isToMany {
      members[object][name] = old + [member]
      return
    }
    if let former = old.first, let inverse = side.inverse {
      remove(object, from: inverse, of: former)
    }
    members[object][name] = [member]
  }
}
