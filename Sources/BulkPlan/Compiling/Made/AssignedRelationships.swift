internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// All relationships of the destination that entity mappings assign.
struct AssignedRelationships: Sendable {
  private(set) var faults: [String] = []
  /// Possible differences from expectations, a sentence each.
  private(set) var warnings: [String] = []
  private(set) var all: [LinkedRelationship] = []
  /// Those that follow from all assignments together.
  private(set) var linked: [LinkedRelationship] = []
  /// Those that follow from each source row, and their inverses, with the end of the relationship.
  private(set) var direct: [PropertyKey: (relationship: LinkedRelationship, end: RelationshipEnd)] =
    [:]

  /// The assignments of objects that policies name, by the mapping, in the order in which they are assigned.
  private(set) var answered: [Int: [LinkedRelationship.Assignment]] = [:]

  private let source: StoreSchema
  private let destination: StoreSchema
  /// By the entities that they read.
  private let readers: [String: [InstanceMapping]]

  init(_ mappings: [InstanceMapping], from source: StoreSchema, to destination: StoreSchema) {
    (self.source, self.destination) = (source, destination)
    readers = Dictionary(grouping: mappings, by: \.source.name)
    let forms = RelationshipForm.all(in: destination)
    var ends: [PropertyKey: RelationshipEnd] = [:]
    for form in forms {
      if let second = form.second { ends[second] = .second }
      ends[form.first] = .first
    }
    var found: [PropertyKey: [LinkedRelationship.Assignment]] = [:]
    for mapping in mappings {
      for (position, property) in mapping.mapping.relationshipMappings.enumerated() {
        guard let expression = property.valueExpression,
          let target = destination.model.relationship(
            named: property.name,
            of: mapping.destination
          ),
          !target.relationship.isTransient
        else { continue }
        let key = PropertyKey(target.owner.name, property.name)
        let assignment = assignment(
          of: expression,
          to: (target.relationship, key, ends[key] ?? .first),
          by: mapping,
          at: position
        )
        found[key]?.removeAll { $0.mapping.index == mapping.index }
        guard let assignment else { continue }
        found[key, default: []].append(assignment)
        if assignment.function != nil { answered[mapping.index, default: []].append(assignment) }
      }
    }
    for form in forms {
      let keys = form.isSelfInverse ? [form.first] : [form.first, form.second].compactMap(\.self)
      guard
        let relationship = LinkedRelationship(
          form,
          keys.flatMap { found[$0] ?? [] },
          in: destination
        ),
        !relationship.assignments.isEmpty
      else { continue }
      all.append(relationship)
      if RelationshipProof(relationship: relationship, source: source).isDirect {
        if let second = form.second { direct[second] = (relationship, .second) }
        direct[form.first] = (relationship, .first)
      } else {
        linked.append(relationship)
      }
    }
  }

  /// `nil` if it is at fault.
  private mutating func assignment(
    of expression: ValueExpression,
    to target: (relationship: RelationshipDescription, key: PropertyKey, end: RelationshipEnd),
    by mapping: InstanceMapping,
    at position: Int
  ) -> LinkedRelationship.Assignment? {
    let subject = "entity mapping \(mapping.mapping.name), relationship \(target.key.property)"
    let takesOne = !target.relationship.isToMany && !expression.takesFirst
    func assigned(
      along path: RelationshipPath? = nil,
      by makers: [InstanceMapping] = [],
      _ function: (selector: String, arguments: [ValueExpression])? = nil
    ) -> LinkedRelationship.Assignment {
      LinkedRelationship.Assignment(
        mapping: mapping,
        key: target.key,
        end: target.end,
        position: position,
        path: path,
        makers: makers,
        query: path.flatMap { LinkQuery($0, of: mapping, in: source) },
        function: function,
        takesFirst: expression.takesFirst,
        takesOne: takesOne
      )
    }
    switch RelationshipMeaning(expression) {
    case .nothing: return assigned()
    case .policy(let selector, _) where !mapping.hasPolicy:
      faults.append("\(subject): \(selector) is sent to a policy, but the mapping has none")
    case .policy(let selector, let arguments): return assigned((selector, arguments))
    case .unsupported(let reason): faults.append("\(subject): \(reason)")
    case .instances(let names, let name):
      do throws(RelationshipPath.Broken) {
        let path = try RelationshipPath(names, from: mapping.source, in: source.model)
        let makers = makers(named: name, of: path, for: target.relationship)
        if makers.isEmpty {
          let maker = name.map { "entity mapping \($0)" } ?? "no entity mapping"
          warnings.append(
            "\(subject) stays empty: \(maker) makes no object of the right entity from \(path.end.name)"
          )
        }
        if takesOne, let fault = Self.severalMade(by: makers) {
          faults.append("\(subject): \(fault)")
        }
        return assigned(along: path, by: makers)
      } catch {
        faults.append("\(subject): entity \(error.entity) has no relationship \(error.name)")
      }
    }
    return nil
  }

  private func makers(
    named name: String?,
    of path: RelationshipPath,
    for relationship: RelationshipDescription
  ) -> [InstanceMapping] {
    let ends =
      path.links.isEmpty ? [path.end.name] : source.model.hierarchy(from: path.end).map(\.name)
    let kinds = Set(
      destination.model.entity(named: relationship.destinationEntityName)
        .map { destination.model.hierarchy(from: $0).map(\.name) } ?? []
    )
    return ends.flatMap { readers[$0] ?? [] }.sorted { $0.index < $1.index }.filter { candidate in
      (name == nil || candidate.mapping.name == name)
        && kinds.contains(candidate.destination.name)
    }
  }

  /// Why mappings always give several objects of a source object (formats/migration.md 8.11).
  private static func severalMade(by makers: [InstanceMapping]) -> String? {
    let sure = makers.filter { $0.isSure && !$0.isMerging }
    let groups = Dictionary(grouping: sure, by: \.source.name).sorted { $0.key < $1.key }
    guard let (source, several) = groups.first(where: { $0.value.count > 1 }) else { return nil }
    let names = several.map(\.mapping.name).joined(separator: " and ")
    return "it leads to one object, but entity mappings \(names) each make one of every \(source); "
      + "name one of them, or write [FIRST] behind the expression"
  }
}

extension LinkQuery {
  /// `nil` where a relationship of the path is not stored.
  fileprivate init?(_ path: RelationshipPath, of mapping: InstanceMapping, in source: StoreSchema) {
    let steps = path.links.compactMap { source.rows(of: $0) }
    guard steps.count == path.links.count else { return nil }
    self.init(
      from: mapping.sourceTable,
      ofEntity: mapping.isRecorded ? nil : mapping.sourceNumber,
      along: steps
    )
  }
}
