import BulkModel

/// The objects of a store as Core Data shows them: entities, numbers, and the members of relationships.
struct SourceObjects {
  private let contents: StoreContents
  private var model: ModelSketch { contents.model }

  init(_ contents: StoreContents) { self.contents = contents }

  /// The objects of an entity, without those of subentities, by key.
  func objects(of entity: String) -> [StoredRow] {
    let number = contents.names.number(of: entity)
    return contents.rows(ofKindsOf: entity).filter { $0.entityNumber == number }
  }

  /// The objects at the end of a path of relationships, each where it is met first.
  func objects(at path: [String], from object: RowID) -> [RowID] {
    var current = [object]
    for name in path {
      current = current.flatMap { members(of: name, $0) }.withoutRepetition
    }
    return current
  }

  /// The members of a relationship; in an ordered one by place, those without a place first, and by key.
  func members(of name: String, _ object: RowID) -> [RowID] {
    guard let relationship = model.relationship(name), let row = contents.rows[object] else {
      return []
    }
    let root = model.root(of: relationship.destinationEntityName)
    switch contents.names.storage(of: relationship) {
    case .column(let column):
      let member = row.cells[column.name].map { RowID(root: root, key: $0) }
      return member.map { contents.rows[$0] == nil ? [] : [$0] } ?? []
    case .membersColumn(let column):
      let members = contents.rows(ofKindsOf: relationship.destinationEntityName)
        .filter { $0.cells[column.name] == object.key }
        .map { Member(id: $0.id, position: column.position.flatMap($0.position)) }
      return members.sorted().map(\.id)
    case .pairs(let join):
      return members(join, of: object.key).map {
        Member(id: RowID(root: root, key: $0.0), position: $0.1)
      }
      .filter { contents.rows[$0.id] != nil }.sorted().map(\.id).withoutRepetition
    }
  }

  /// The place of an object among those that lead to another along a relationship, where its inverse is
  /// ordered; one without a place comes before all others.
  func position(of object: RowID, along name: String, in other: RowID) -> Int64? {
    guard let relationship = model.relationship(name), let inverse = relationship.inverseName,
      let back = model.relationship(inverse), back.isOrdered
    else { return nil }
    switch contents.names.storage(of: back) {
    case .column: return nil
    case .membersColumn(let column):
      return column.position.map { contents.rows[object]?.cells[$0] ?? .min }
    case .pairs(let join):
      return members(join, of: other.key).first { $0.0 == object.key }.map { $0.1 ?? .min }
    }
  }

  /// The keys and places of the members in a join table; a pair of a relationship that is its own
  /// inverse counts in both directions, and has a place in the one in which it is stored.
  private func members(_ join: Join, of key: Int64) -> [(Int64, Int64?)] {
    let pairs = contents.pairs(join)
    let forward = pairs.filter { $0.owner == key }.map { ($0.member, $0.position) }
    guard join.isOwnInverse else { return forward }
    let known = Set(forward.map(\.0))
    let backward = pairs.filter { $0.member == key && !known.contains($0.owner) }
    return forward + backward.map { ($0.owner, nil) }
  }
}

/// A member of a relationship with its place.
private struct Member: Comparable {
  let id: RowID
  let position: Int64?

  static func < (one: Member, other: Member) -> Bool {
    (one.position ?? .min, one.id.key) < (other.position ?? .min, other.id.key)
  }
}

extension StoredRow {
  fileprivate func position(in column: String) -> Int64? { cells[column] }
}

extension Array where Element: Hashable {
  /// The elements, each where it stands first.
  var withoutRepetition: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
