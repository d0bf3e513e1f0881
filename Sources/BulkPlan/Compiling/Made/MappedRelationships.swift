internal import BulkMapping
package import BulkModel
internal import BulkStore

/// The values of all relationships under all entity mappings.
struct MappedRelationships: Sendable {
  private(set) var faults: [String] = []
  /// Possible differences from expectations, a sentence each.
  private(set) var warnings: [String] = []

  private var values: [Int: [String: MappedRelationship]] = [:]
  private var answers: [Int: [PolicyRelationship]] = [:]

  init(_ mappings: [InstanceMapping], from source: StoreSchema, to destination: StoreSchema) {
    let readers = Dictionary(grouping: mappings, by: \.source.name)
    for mapping in mappings {
      for (position, property) in mapping.mapping.relationshipMappings.enumerated() {
        guard let expression = property.valueExpression else { continue }
        func assign(_ objects: MappedRelationship.Objects?) {
          values[mapping.index, default: [:]][property.name] = MappedRelationship(
            position: position,
            objects: objects,
            takesFirst: expression.takesFirst
          )
        }
        let subject = "entity mapping \(mapping.mapping.name), relationship \(property.name)"
        guard
          let found = destination.model.relationship(named: property.name, of: mapping.destination),
          !found.relationship.isTransient
        else { continue }
        switch RelationshipMeaning(expression) {
        case .nothing: assign(nil)
        case .policy(let selector, _) where !mapping.hasPolicy:
          faults.append("\(subject): \(selector) is sent to a policy, but the mapping has none")
        case .policy(let selector, let arguments):
          assign(nil)
          answers[mapping.index, default: []].append(
            PolicyRelationship(
              name: property.name,
              selector: selector,
              arguments: arguments.map { PolicyRelationship.Argument($0) },
              takesFirst: expression.takesFirst
            )
          )
        case .unsupported(let reason): faults.append("\(subject): \(reason)")
        case .instances(let names, let name):
          let path: RelationshipPath
          switch RelationshipPath.find(names, from: mapping.source, in: source.model) {
          case .success(let value): path = value
          case .failure(let fault):
            faults.append("\(subject): entity \(fault.entity) has no relationship \(fault.name)")
            continue
          }
          let makers = makers(
            named: name,
            of: path,
            for: found.relationship,
            readers,
            source.model,
            destination.model
          )
          if makers.isEmpty {
            warnings.append(Self.nothingMade(subject, name: name, at: path.end.name))
          }
          if !found.relationship.isToMany, !expression.takesFirst,
            let fault = Self.severalMade(by: makers)
          {
            faults.append("\(subject): \(fault)")
          }
          assign((path, makers))
        }
      }
    }
  }

  /// `nil` where the mapping leaves the relationship alone.
  func value(of relationship: String, under mapping: InstanceMapping) -> MappedRelationship? {
    values[mapping.index]?[relationship]
  }

  func answered(under mapping: InstanceMapping) -> [PolicyRelationship] {
    answers[mapping.index] ?? []
  }

  private func makers(
    named name: String?,
    of path: RelationshipPath,
    for relationship: RelationshipDescription,
    _ readers: [String: [InstanceMapping]],
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel
  ) -> [InstanceMapping] {
    let ends = path.links.isEmpty ? [path.end.name] : source.hierarchy(from: path.end).map(\.name)
    let kinds = Set(
      destination.entity(named: relationship.destinationEntityName)
        .map { destination.hierarchy(from: $0).map(\.name) } ?? []
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

  private static func nothingMade(_ subject: String, name: String?, at end: String) -> String {
    let mapping = name.map { "entity mapping \($0)" } ?? "no entity mapping"
    return "\(subject) stays empty: \(mapping) makes no object of the right entity from \(end)"
  }
}

/// The assignment of an entity mapping to a relationship of its objects.
struct MappedRelationship: Sendable {
  /// The objects that some mappings made from those at the end of a path, source object by source object,
  /// and for each in the order of the mappings.
  typealias Objects = (path: RelationshipPath, makers: [InstanceMapping])

  /// The index of the relationship among those of the mapping, which are assigned in that order.
  let position: Int
  let objects: Objects?
  /// Whether the first of several objects counts, which otherwise are an error of a to-one relationship.
  let takesFirst: Bool
  var makers: [InstanceMapping] { objects?.makers ?? [] }
}

/// A relationship whose objects a policy names: `FUNCTION($entityPolicy, "selector:", …)`.
package struct PolicyRelationship: Hashable, Sendable {
  package enum Argument: Hashable, Sendable {
    case constant(AttributeValue)
    case path(String)
    /// An object that the policy has already, as `$source` and `$manager`.
    case object
  }

  package let name: String
  package let selector: String
  package let arguments: [Argument]
  package let takesFirst: Bool
}

extension PolicyRelationship.Argument {
  init(_ expression: ValueExpression) {
    switch expression {
    case .constant(let value): self = .constant(value)
    case .keyPath(let path, of: .variable("source")): self = .path(path)
    case .classConstant, .evaluatedObject, .variable, .keyPath, .function, .predefined, .symbol,
      .aggregate, .set, .subquery, .ternary, .fetch:
      self = .object
    }
  }
}
