/// Migrates plain objects by a mapping model as Core Data documents it: one stage after the other, with
/// lists of associations, all in memory.
struct ReferenceMigrator {
  private let step: StepSketch
  private let source: SourceObjects
  private(set) var made: ReferenceObjects
  /// The objects that each mapping made, in the order in which it made them.
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

  private var sourceOf: [Int: RowID] = [:]
  private var assigned: Set<Assigned> = []
  private var places: [Placed: Int64] = [:]

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
      for object in source.objects(of: mapping.source)
      where mapping.filter?.holds(for: object.number) ?? true {
        var marks = object.marks
        marks.makers.append(mapping.name)
        let destination = made.insert(
          .init(entity: mapping.destination, marks: marks, number: object.number)
        )
        list.append(Association(source: object.id, destination: destination))
        sourceOf[destination] = object.id
      }
      associations.append(list)
    }
  }

  private mutating func createRelationships() {
    for (mapping, list) in zip(step.mappings, associations) {
      for association in list {
        // Property mappings are carried out in the order of their names.
        for assignment in mapping.assignments.sorted(by: { $0.relationship < $1.relationship }) {
          guard let objects = objects(assignment, for: association.source) else { continue }
          note(assignment, association, objects)
          made.set(assignment.relationship, of: association.destination, to: objects)
        }
      }
    }
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
    for object in objects {
      guard let other = sourceOf[object] else { continue }
      let link = Placed(
        owner: object,
        member: association.destination,
        relationship: assignment.relationship
      )
      places[link] = source.place(of: association.source, along: path[0], in: other)
    }
  }

  /// Members that came into an ordered relationship by their own assignments, while the owner's mapping
  /// leaves it out, stand as the source orders them.
  private mutating func orderAsInSource() {
    for relationship in step.model.entities.flatMap(\.relationships) {
      guard let inverse = relationship.inverse,
        step.model.relationship(inverse)?.isOrdered ?? false
      else { continue }
      for owner in made.objects.indices
      where !assigned.contains(Assigned(object: owner, relationship: inverse)) {
        made.order(inverse, of: owner) { member in
          places[Placed(owner: owner, member: member, relationship: relationship.name)] ?? .max
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
    let entity = step.model.relationship(assignment.relationship)?.destination ?? ""
    let kinds = step.model.kinds(of: entity)
    return found.filter { kinds.contains(made.objects[$0].entity) }.withoutRepetition
  }

  /// What a mapping made of some objects, in their order.
  private func destinations(of mapping: Int, _ sources: [RowID]) -> [Int] {
    sources.flatMap { source in
      associations[mapping].filter { $0.source == source }.map(\.destination)
    }
  }
}
