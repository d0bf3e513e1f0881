import BulkTestSupport

/// A model in the making: a hierarchy, and pairs of relationships that keep their names.
struct ModelDraft {
  /// A relationship with its inverse, if it has one.
  struct Pair {
    let number: Int
    var owner: String
    var destination: String
    var kind: PairKind
  }

  struct Entity {
    var name: String
    var parent: String?
    var isAbstract = false
  }

  var entities: [Entity] = []
  var pairs: [Pair] = []

  /// How deep an entity stands, a root 1.
  func depth(of name: String) -> Int {
    entities.first { $0.name == name }?.parent.map { depth(of: $0) + 1 } ?? 1
  }

  func children(of name: String) -> [Entity] { entities.filter { $0.parent == name } }

  /// An entity, those above it and those below it.
  func relatives(of name: String) -> [String] {
    let sketch = sketch
    return entities.map(\.name).filter { other in
      sketch.kinds(of: other).contains(name) || sketch.kinds(of: name).contains(other)
    }
  }

  var sketch: ModelSketch {
    var result = ModelSketch(
      entities: entities.map {
        EntityDescription($0.name, under: $0.parent, isAbstract: $0.isAbstract)
      }
    )
    for pair in pairs {
      for (entity, relationship) in pair.relationships {
        guard let index = result.entities.firstIndex(where: { $0.name == entity }) else { continue }
        result.entities[index].relationships.append(relationship)
      }
    }
    return result
  }
}

/// What a relationship and its inverse are.
enum PairKind: Hashable {
  /// A relationship without inverse.
  case single(Multiplicity)
  /// A relationship that is its own inverse.
  case ownInverse(Multiplicity)
  /// Two relationships.
  case both(Multiplicity, Multiplicity)
}

/// To how many objects a relationship leads.
enum Multiplicity: CaseIterable, Hashable {
  case one
  case many
  case ordered
}

extension ModelDraft.Pair {
  /// The relationships with the entities that declare them.
  fileprivate var relationships: [(String, RelationshipDescription)] {
    let (name, back) = ("p\(number)", "q\(number)")
    switch kind {
    case .single(let one):
      return [(owner, one.relationship(name, destination))]
    case .ownInverse(let one):
      return [(owner, one.relationship(name, "\(owner).\(name)"))]
    case .both(let one, let other):
      return [
        (owner, one.relationship(name, "\(destination).\(back)")),
        (destination, other.relationship(back, "\(owner).\(name)")),
      ]
    }
  }
}

extension Multiplicity {
  fileprivate func relationship(_ name: String, _ end: String) -> RelationshipDescription {
    switch self {
    case .one: .toOne(name, end)
    case .many: .toMany(name, end)
    case .ordered: .toMany(name, end, isOrdered: true)
    }
  }
}
