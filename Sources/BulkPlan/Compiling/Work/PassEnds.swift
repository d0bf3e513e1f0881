internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The part of the work that a pass does.
package struct PassContents: Hashable, Sendable {
  package let entities: [String]
  /// None where everything is inferred.
  package let mappings: [String]

  package init(entities: [String], mappings: [String]) {
    (self.entities, self.mappings) = (entities, mappings)
  }

  init(allOf work: StepWork) {
    entities = work.destination.model.entities.map(\.name)
    mappings = work.mapping.entityMappings.map(\.name)
  }

  func tables(of work: StepWork) -> Set<String> {
    let model = work.destination.model
    return Set(
      entities.compactMap { name in
        model.entity(named: name).map { work.destination.table(of: $0).name }
      }
    )
  }
}

/// The pass in which relationships are set: the last of those that make objects at their ends.
///
/// Where a policy makes objects, which may use any and change any, it is the last pass of all entities that
/// relationships connect.
struct PassEnds {
  private let model: ManagedObjectModel
  private let groups: EntityGroups
  /// By root entity.
  private var last: [String: Int] = [:]
  /// By the leader of a group of entities that relationships connect.
  private var lastOfGroup: [String: Int] = [:]
  private var passByMapping: [String: Int] = [:]
  private let hasPolicy: Bool

  package init(_ passes: [PassContents], in model: ManagedObjectModel, hasPolicies: Bool) {
    self.model = model
    groups = EntityGroups(model)
    hasPolicy = hasPolicies
    for (index, pass) in passes.enumerated() {
      for mapping in pass.mappings { passByMapping[mapping] = index }
      for name in pass.entities {
        guard let entity = model.entity(named: name) else { continue }
        let root = model.root(of: entity).name
        last[root] = index
        lastOfGroup[groups.leader(of: root)] = index
      }
    }
  }

  /// That of its entity, or of objects before it in the order of its table, or where a policy makes objects, of
  /// all that relationships connect.
  func passes(
    making creations: [InstanceCreation]
  ) -> [(creation: InstanceCreation, pass: Int)] {
    var last: [String: Int] = [:]
    return creations.compactMap { creation in
      guard let own = passByMapping[creation.mapping.mapping.name] else { return nil }
      let root = model.root(of: creation.mapping.destination).name
      let leader = hasPolicy ? groups.leader(of: root) : root
      let pass = max(own, last[leader] ?? 0)
      last[leader] = pass
      return (creation, pass)
    }
  }

  /// `nil` if no pass makes objects connected with the entity.
  func lastPass(of entityName: String) -> Int? {
    model.entity(named: entityName).flatMap {
      lastOfGroup[groups.leader(of: model.root(of: $0).name)]
    }
  }

  /// `nil` if no pass makes their objects.
  package func pass(setting entityNames: [String]) -> Int? {
    guard !hasPolicy else { return entityNames.compactMap(lastPass).max() }
    return entityNames.compactMap { name in
      model.entity(named: name).flatMap { last[model.root(of: $0).name] }
    }.max()
  }

  /// `nil` if no pass makes objects at its ends.
  func pass(setting relationship: PropertyKey) -> Int? {
    let target = model.relationship(relationship)?.destinationEntityName
    return pass(setting: [relationship.entity, target ?? relationship.entity])
  }
}
