internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The side of a relationship's pairs.
package enum RelationshipEnd: Hashable, Sendable {
  /// The objects that have the relationship.
  case first
  /// The objects that have its inverse.
  case second

  /// The opposite side.
  package var other: RelationshipEnd { self == .first ? .second : .first }
}

extension RelationshipForm {
  /// Whether the relationship of the objects at an end leads to one object at most.
  package func isToOne(_ end: RelationshipEnd) -> Bool {
    switch self {
    case .toOne, .oneToOne: true
    case .oneToMany: end == .second
    case .manyToMany: false
    }
  }
}

/// An entity mapping that assigns one side of a relationship.
struct RelationshipSide: Sendable {
  let end: RelationshipEnd
  let mapping: InstanceMapping
  let relationship: MappedRelationship

  /// The path from a source object, and the mappings that make objects from those at its end; `nil` where
  /// nothing is assigned.
  var objects: (path: RelationshipPath, makers: [InstanceMapping])? {
    guard case .objects(let path, let makers) = relationship.value else { return nil }
    return (path, makers)
  }

  /// Whether objects made by a mapping may be assigned.
  func leads(to other: InstanceMapping) -> Bool {
    relationship.makers.contains { $0.index == other.index }
  }

  /// Whether no source object becomes several assigned objects.
  var hasDistinctMakers: Bool {
    Set(relationship.makers.map(\.source.name)).count == relationship.makers.count
  }
}

/// All assignments of the entity mappings to a relationship and its inverse.
struct RelationshipSides: Sendable {
  let form: RelationshipForm
  /// The assignments to the relationship, in the order of the mappings.
  let first: [RelationshipSide]
  /// The assignments to its inverse; those of ``first`` where the relationship is its own inverse.
  let second: [RelationshipSide]

  init(
    _ form: RelationshipForm,
    _ mappings: [InstanceMapping],
    _ relationships: MappedRelationships,
    in model: ManagedObjectModel
  ) {
    func sides(of key: PropertyKey?, _ end: RelationshipEnd) -> [RelationshipSide] {
      guard let key, let entity = model.entity(named: key.entity) else { return [] }
      let kinds = Set(model.hierarchy(from: entity).map(\.name))
      return mappings.filter { kinds.contains($0.destination.name) }.compactMap { mapping in
        relationships.value(of: key.property, under: mapping).map {
          RelationshipSide(end: end, mapping: mapping, relationship: $0)
        }
      }
    }
    self.form = form
    first = sides(of: form.first, .first)
    second = form.isSelfInverse ? first : sides(of: form.second, .second)
  }

  /// All assignments, each once.
  var all: [RelationshipSide] { form.isSelfInverse ? first : first + second }

  /// Whether objects have or may be assigned that several source objects become, or into which one is
  /// divided.
  var concernMergedOrDivided: Bool {
    all.flatMap { [$0.mapping] + $0.relationship.makers }.contains { $0.isMerging || $0.isDividing }
  }

  /// The assignments at an end.
  func at(_ end: RelationshipEnd) -> [RelationshipSide] { end == .first ? first : second }

  /// The mapping's own assignment at an end; `nil` where it does not assign the relationship.
  func side(of mapping: InstanceMapping, at end: RelationshipEnd) -> RelationshipSide? {
    at(end).first { $0.mapping.index == mapping.index }
  }
}
