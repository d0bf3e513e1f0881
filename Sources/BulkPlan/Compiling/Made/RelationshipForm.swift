internal import BulkModel
package import BulkStore

/// A relationship of the destination with its inverse: one set of pairs of objects, seen from both sides.
///
/// The first objects of the pairs have the relationship, the second ones its inverse.
package enum RelationshipForm: Hashable, Sendable {
  case toOne(PropertyKey)
  /// Two to-one relationships; the same one twice where it is its own inverse.
  case oneToOne(PropertyKey, PropertyKey)
  /// A to-many relationship and its to-one inverse; `nil` where it has none, although the store keeps one
  /// owner of a member.
  case oneToMany(PropertyKey, PropertyKey?)
  /// Two to-many relationships; the same one twice where it is its own inverse.
  case manyToMany(PropertyKey, PropertyKey)

  package var first: PropertyKey {
    switch self {
    case .toOne(let key), .oneToOne(let key, _), .oneToMany(let key, _), .manyToMany(let key, _):
      key
    }
  }

  package var second: PropertyKey? {
    switch self {
    case .toOne: nil
    case .oneToOne(_, let key), .manyToMany(_, let key): key
    case .oneToMany(_, let key): key
    }
  }

  package var isSelfInverse: Bool { first == second }

  /// Whether the relationship of the objects at an end leads to one object at most.
  package func isToOne(_ end: RelationshipEnd) -> Bool {
    switch self {
    case .toOne, .oneToOne: true
    case .oneToMany: end == .second
    case .manyToMany: false
    }
  }

  init?(_ key: PropertyKey, in model: ManagedObjectModel) {
    guard let relationship = model.relationship(key), !relationship.isTransient else { return nil }
    let inverse = model.inverse(of: relationship).flatMap { $0.relationship.isTransient ? nil : $0 }
    let back = inverse.map { PropertyKey($0.owner.name, $0.relationship.name) } ?? key
    switch (relationship.isToMany, inverse?.relationship.isToMany) {
    case (false, nil): self = .toOne(key)
    case (false, false?): self = .oneToOne(key, back)
    case (false, true?): self = .oneToMany(back, key)
    case (true, nil): self = .oneToMany(key, nil)
    case (true, false?): self = .oneToMany(key, back)
    case (true, true?): self = .manyToMany(key, back)
    }
  }

  /// The forms of all stored relationships, each once, in the order of the entities; the side that comes
  /// first in that order is the first one.
  package static func all(in schema: StoreSchema) -> [RelationshipForm] {
    var known: Set<PropertyKey> = []
    var result: [RelationshipForm] = []
    let owners = Set(schema.joinTables.map(\.owner))
    for entity in schema.numbering.entities {
      for relationship in entity.relationships {
        let key = PropertyKey(entity.name, relationship.name)
        guard !known.contains(key), let form = RelationshipForm(key, in: schema.model) else {
          continue
        }
        // In a join table the owner comes first.
        if case .manyToMany(let one, let other) = form, one != other, !owners.contains(one) {
          continue
        }
        known.formUnion([form.first, form.second].compactMap(\.self))
        result.append(form)
      }
    }
    return result
  }
}

/// The side of a relationship's pairs.
package enum RelationshipEnd: Hashable, Sendable {
  /// The objects that have the relationship.
  case first
  /// The objects that have its inverse.
  case second

  package var other: RelationshipEnd { self == .first ? .second : .first }
}
