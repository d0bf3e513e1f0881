import BulkModel

/// Migrates plain objects by a mapping model as Core Data documents it: one stage after the other, with
/// lists of associations, all in memory.
struct ReferenceMigrator {
  private let step: StepSketch
  private let source: SourceObjects
  private(set) var made: ReferenceObjects
  /// The objects that each mapping made or found, in the order in which it did.
  private var associations: [[Association]] = []

  /// A destination object and the source object that it was made of.
  private struct Association {
    let source: RowID
    let destination: Int
  }

  /// An object whose mapping assigns to a relationship.
  private struct Assigned: Hashable {
    let object: Int
    let relationship: String
  }

  /// A member that names its owner by a relationship.
  private struct Placed: Hashable {
    let owner: Int
    let member: Int
    let relationship: String
  }

  private var assigned: Set<Assigned> = []
  private var positions: [Placed: Int64] = [:]

  /// Migrates the objects of a store.
  ///
  /// - Returns: The destination's objects with their relationships.
  static func migrate(_ source: SourceObjects, by step: StepSketch) -> ReferenceObjects {
    var migrator = ReferenceMigrator(source, step)
    migrator.createObjects()
    migrator.createRelationships()
    migrator.orderAsInSource()
    return migrator.made
  }

  private init(_ source: SourceObjects, _ step: StepSketch) {
    self.step = step
    self.source = source
    made = ReferenceObjects(of: step.model)
  }

  private mutating func createObjects() {
    for mapping in step.mappings {
      var list: [Association] = []
      var found: [Int64?: Int] = [:]
      for candidate in kept(by: mapping) {
        let destination = made.insert(candidate.object)
        if mapping.sharing?.isUnique ?? false { found[candidate.object.number] = destination }
        list.append(Association(source: candidate.source, destination: destination))
      }
      if mapping.sharing?.isUnique ?? false {
        list = candidates(of: mapping).compactMap { candidate in
          found[candidate.object.number].map {
            Association(source: candidate.source, destination: $0)
          }
        }
      }
      associations.append(list)
    }
  }

  /// An object that a mapping would make if it found none.
  private struct Candidate {
    let source: RowID
    let object: ReferenceObjects.Object
  }

  private func candidates(of mapping: MappingSketch) -> [Candidate] {
    source.objects(of: mapping.source).filter { mapping.filter?.holds(for: $0.number) ?? true }
      .flatMap { object in
        (mapping.sharing?.texts(of: object.marks.text) ?? [object.marks.text]).map { text in
          var marks = object.marks
          marks.text = text
          marks.maker = mapping.name
          return Candidate(
            source: object.id,
            object: .init(entity: mapping.destination, marks: marks, number: object.number)
          )
        }
      }
  }

  /// The objects that a mapping makes.
  private func kept(by mapping: MappingSketch) -> [Candidate] {
    let all = candidates(of: mapping)
    guard let sharing = mapping.sharing, sharing.isUnique else { return all }
    var known: Set<Int64?> = []
    let ordered = sharing.keepsLast ? all.reversed() : all
    let kept = ordered.filter { known.insert($0.object.number).inserted }
    return sharing.keepsLast ? kept.reversed() : kept
  }

  private mutating func createRelationships() {
    for (mapping, list) in zip(step.mappings, associations) {
      for (destination, sources) in assigning(list, of: mapping) {
        // Property mappings are carried out in the order of their names.
        for assignment in mapping.assignments.sorted(by: { $0.relationship < $1.relationship }) {
          assign(assignment, of: mapping, to: destination, from: sources)
        }
      }
    }
  }

  /// The objects to whose relationships a mapping assigns, each once, with their source objects.
  private func assigning(
    _ list: [Association],
    of mapping: MappingSketch
  ) -> [(destination: Int, sources: [RowID])] {
    guard mapping.sharing?.isUnique ?? false else {
      return list.map { ($0.destination, [$0.source]) }
    }
    let sources = Dictionary(grouping: list, by: \.destination)
    return sources.keys.sorted().map { ($0, (sources[$0] ?? []).map(\.source).withoutRepetition) }
  }

  /// Assigns what all source objects of an object give, as one.
  private mutating func assign(
    _ assignment: AssignmentSketch,
    of mapping: MappingSketch,
    to destination: Int,
    from sources: [RowID]
  ) {
    let isToMany = step.model.relationship(assignment.relationship)?.isToMany ?? true
    let isReversed = !isToMany && mapping.sharing?.keepsLast ?? false
    var all: [Int]?
    for source in isReversed ? sources.reversed() : sources {
      guard let found = objects(assignment, for: source) else { continue }
      if !isToMany, !assignment.takesFirst, found.count > 1 { made.refuse() }
      note(assignment, Association(source: source, destination: destination), found)
      all = (all ?? []) + found
    }
    if let all { made.set(assignment.relationship, of: destination, to: all.withoutRepetition) }
  }

  // MARK: Orders that only the source knows

  /// Notes the place that the source gives an object among those of another's ordered relationship.
  private mutating func note(
    _ assignment: AssignmentSketch,
    _ association: Association,
    _ objects: [Int]
  ) {
    assigned.insert(
      Assigned(object: association.destination, relationship: assignment.relationship)
    )
    guard let path = assignment.value.path, path.count == 1 else { return }
    let others = source.objects(at: path, from: association.source)
    for object in objects {
      // The place is that in the collection of the source object that led to it, whichever of several was kept.
      guard let other = others.first(where: { self.sources(of: object).contains($0) }) else {
        continue
      }
      let link = Placed(
        owner: object,
        member: association.destination,
        relationship: assignment.relationship
      )
      guard positions[link] == nil else { continue }
      positions[link] = source.position(of: association.source, along: path[0], in: other)
    }
  }

  /// Members that came into an ordered relationship by their own assignments, while the owner's mapping
  /// leaves it out, stand as the source orders them.
  private mutating func orderAsInSource() {
    for relationship in step.model.entities.flatMap(\.relationships) {
      guard let inverse = relationship.inverseName,
        step.model.relationship(inverse)?.isOrdered ?? false
      else { continue }
      for owner in made.objects.indices
      where !assigned.contains(Assigned(object: owner, relationship: inverse)) {
        made.order(inverse, of: owner) { member in
          positions[Placed(owner: owner, member: member, relationship: relationship.name)] ?? .max
        }
      }
    }
  }

  /// The value of a relationship mapping; `nil` where it leaves the relationship untouched.
  private func objects(_ assignment: AssignmentSketch, for source: RowID) -> [Int]? {
    let found: [Int]
    switch assignment.value {
    case .untouched: return nil
    case .nothing: return []
    case .made(let name, let path):
      found = step.mappings.indices.filter { step.mappings[$0].name == name }
        .flatMap { destinations(of: $0, self.source.objects(at: path, from: source)) }
    case .madeByAny(_, let path):
      let sources = self.source.objects(at: path, from: source)
      found = sources.flatMap { source in
        step.mappings.indices.flatMap { destinations(of: $0, [source]) }
      }
    }
    let entity = step.model.relationship(assignment.relationship)?.destinationEntityName ?? ""
    let kinds = step.model.kinds(of: entity)
    return found.filter { kinds.contains(made.objects[$0].entity) }.withoutRepetition
  }

  private func sources(of object: Int) -> Set<RowID> {
    Set(associations.joined().filter { $0.destination == object }.map(\.source))
  }

  /// What a mapping made of some objects, in their order.
  private func destinations(of mapping: Int, _ sources: [RowID]) -> [Int] {
    sources.flatMap { source in
      associations[mapping].filter { $0.source == source }.map(\.destination)
    }
  }
}
