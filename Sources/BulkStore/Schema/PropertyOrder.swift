internal import BulkModel

/// The order in which Core Data meets the properties of an entity when it lays out tables.
///
/// It is that of a hash table whose keys are entered in the order of another one. Source: formats/store.md 6,
/// which explains all stores but those whose model was compiled into its optimized form (6.6).
struct PropertyOrder {
  let model: ManagedObjectModel
  let numbering: EntityNumbering

  /// The names of an entity's stored properties, own and inherited, among keys that are not names.
  func keys(of entity: EntityDescription) -> [String] {
    let keys = model.lineage(of: entity).reversed().reduce(["_ent", "_pk", "_opt"]) {
      Self.growing($0 + ownKeys(of: $1))
    }
    let size = Self.sizes.first { keys.count <= $0.upTo }?.size ?? keys.count * 2 + 1
    var table = [String?](repeating: nil, count: size)
    for key in keys {
      let units = Array(key.utf16)
      table.enter(
        key,
        at: units.hash(units.count > 23 ? units.prefix(8) + units.suffix(16) : units[...])
      )
    }
    return table.compactMap(\.self)
  }

  private static let sizes: [(upTo: Int, size: Int)] = [
    (4, 5), (8, 11), (17, 23), (29, 41), (47, 67), (76, 113), (123, 199), (199, 317), (322, 521),
    (521, 839), (843, 1361),
  ]

  private func ownKeys(of entity: EntityDescription) -> [String] {
    let attributes = Set(entity.attributes.filter { !$0.isTransient }.map(\.name))
    let relationships = entity.relationships.filter { !$0.isTransient }
    return Self.growing(model.attributes(of: entity).map(\.name)).filter(attributes.contains)
      + Self.growing(model.relationships(of: entity).map(\.name)).flatMap { name in
        relationships.first { $0.name == name }.map(keys) ?? []
      }
  }

  /// The keys of a relationship: a to-one has those of its columns before its own.
  private func keys(of relationship: RelationshipDescription) -> [String] {
    guard !relationship.isToMany else { return [relationship.name] }
    let name = relationship.name.uppercased()
    let destination = model.entity(named: relationship.destinationEntityName)
    let entityKeys = [destination].compactMap(\.self)
      .filter { !model.subentities(of: $0).isEmpty }
      .map { "_Z\(numbering.number(of: $0.name))_\(name)" }
    return ["_Z\(name)"] + entityKeys + [relationship.name]
  }

  /// Sorts keys by their slots in a table that doubles when three of four are taken; those that come again are left out.
  private static func growing(_ keys: [String]) -> [String] {
    var known: Set<String> = []
    var table = [String?](repeating: nil, count: 4)
    for key in keys where known.insert(key).inserted {
      if known.count > table.count / 4 * 3 {
        let all = table.compactMap(\.self)
        table = [String?](repeating: nil, count: table.count * 2)
        for key in all { table.enter(mixing: key) }
      }
      table.enter(mixing: key)
    }
    return table.compactMap(\.self)
  }
}

extension [String?] {
  /// Puts a key at a slot modulo the number of slots, or at the next free one.
  fileprivate mutating func enter(_ key: String, at hash: UInt32) {
    var slot = Int(hash) % count
    while self[slot] != nil { slot = (slot + 1) % count }
    self[slot] = key
  }

  /// Puts a key at the place of its mixed hash: the third word of Bob Jenkins's mix of 96 bits.
  fileprivate mutating func enter(mixing key: String) {
    let units = [UInt16](key.utf16)
    let middle = units.dropFirst(Swift.max(units.count / 2 - 16, 0)).prefix(32)
    let hash = units.hash(
      units.count > 96 ? units.prefix(32) + middle + units.suffix(32) : units[...]
    )
    let seed: UInt32 = 0x4B61_6E65
    var (a, b, c) = (hash &+ seed, seed, UInt32(1))
    for (first, second, third): (UInt32, UInt32, UInt32) in [
      (13, 8, 13), (12, 16, 5), (3, 10, 15),
    ] {
      a = (a &- b &- c) ^ (c >> first)
      b = (b &- c &- a) ^ (a << second)
      c = (c &- a &- b) ^ (b >> third)
    }
    enter(key, at: c)
  }
}

extension [UInt16] {
  /// Foundation's hash of a string modulo 2^32, computed from some of its units.
  ///
  /// Source: formats/store.md 6.4.
  fileprivate func hash(_ entering: ArraySlice<UInt16>) -> UInt32 {
    let hash = entering.reduce(UInt32(truncatingIfNeeded: count)) { $0 &* 257 &+ UInt32($1) }
    return hash &+ (hash << UInt32(count & 31))
  }
}
