package import BulkLowering
internal import BulkMapping
internal import BulkModel
package import BulkStore

/// What each pass of a plan writes.
///
/// Objects are made in the pass of their entity, or later: those of one table in the order of the mapping model, on
/// which their keys depend, and what they share. What connects objects of several passes, as their
/// relationships, is written in the last of these (``PassEnds``), from association tables; keys that rows find
/// while they are written are only counted there.
package struct PassSchedule {
  /// What one pass writes, in this order; rows that keep their keys, or objects that are made.
  package struct Pass {
    /// The rows of entities that keep their keys.
    package var entityRows: [RowTransfer] = []
    /// The objects that are made.
    package var creations: [InstanceCreation] = []
    /// The relationships to set.
    package var links: [LinkedRelationship] = []
    /// The objects whose relationships policies set.
    package var relations: [InstanceCreation] = []
    /// The pairs of many-to-many relationships.
    package var joinRows: [RowTransfer] = []
    /// The destination tables of objects that are filled.
    package var tables: Set<String> = []
    /// The join tables that are filled.
    package var joins: Set<String> = []
  }

  /// The passes in their order.
  package private(set) var passes: [Pass]

  /// The schedule of some work, with the changes to entities by pass.
  package init(_ entities: [[MigrationPlan.EntityChange]], _ work: StepWork) {
    let model = work.destination.model
    passes = entities.map { _ in Pass() }
    var passByMapping: [String: Int] = [:]
    for (index, changes) in entities.enumerated() {
      // A removed entity may have the name of an existing one.
      for change in changes where change.change != .removed {
        guard let entity = model.entity(named: change.entity) else { continue }
        passes[index].tables.insert(work.destination.table(of: entity).name)
      }
      for mapping in changes.compactMap(\.mapping) { passByMapping[mapping] = index }
      if work.keepsKeys {
        passes[index].entityRows = work.transfers.entityRows.filter {
          passes[index].tables.contains($0.destination)
        }
      }
    }
    let ends = PassEnds(entities, in: model)
    var last: [String: Int] = [:]
    for creation in work.instances.creations {
      guard let own = passByMapping[creation.mapping.mapping.name] else { continue }
      let leader = ends.leader(of: creation.mapping.destination)
      let index = max(own, last[leader] ?? 0)
      last[leader] = index
      passes[index].creations.append(creation)
    }
    addConnections(work, ends)
  }

  private mutating func addConnections(_ work: StepWork, _ ends: PassEnds) {
    let model = work.destination.model
    for table in work.destination.joinTables {
      guard let index = ends.pass(setting: [table.owner.entity, table.inverse.entity]) else {
        continue
      }
      passes[index].joins.insert(table.name)
    }
    for index in passes.indices {
      let joins = passes[index].joins
      passes[index].joinRows = work.transfers.joinRows.filter { joins.contains($0.destination) }
    }
    for link in work.instances.links {
      let first = link.form.first
      let target = model.entity(named: first.entity)?.relationships
        .first { $0.name == first.property }?.destinationEntityName
      guard let index = ends.pass(setting: [first.entity, target ?? first.entity]) else { continue }
      passes[index].links.append(link)
    }
    for creation in work.instances.creations {
      guard let index = ends.lastPass(of: creation.mapping.destination.name) else { continue }
      passes[index].relations.append(creation)
    }
  }
}

/// The pass in which relationships are set: the last of those that make objects at their ends.
///
/// Where a policy makes objects, which may use any and change any, it is the last pass of all entities that
/// relationships connect.
struct PassEnds {
  private let model: ManagedObjectModel
  private let groups: EntityGroups
  /// The last pass of every root entity.
  private var last: [String: Int] = [:]
  /// The last pass of every group of entities that relationships connect.
  private var lastOfGroup: [String: Int] = [:]
  private let hasPolicy: Bool

  /// The ends in a destination model, with the changes to entities by pass.
  init(_ entities: [[MigrationPlan.EntityChange]], in model: ManagedObjectModel) {
    self.model = model
    groups = EntityGroups(model)
    hasPolicy = entities.joined().contains { $0.policy != nil }
    for (index, changes) in entities.enumerated() {
      // A removed entity may have the name of an existing one.
      for change in changes where change.change != .removed {
        guard let entity = model.entity(named: change.entity) else { continue }
        let root = model.root(of: entity).name
        last[root] = index
        lastOfGroup[groups.leader(of: root)] = index
      }
    }
  }

  /// The root of the entities whose objects are made in one order with those of an entity: those of its table, or where
  /// a policy makes objects, all that relationships connect.
  func leader(of entity: EntityDescription) -> String {
    let root = model.root(of: entity).name
    return hasPolicy ? groups.leader(of: root) : root
  }

  /// The pass in which everything is set that belongs to an entity; `nil` if no pass makes objects connected
  /// with it.
  func lastPass(of entityName: String) -> Int? {
    model.entity(named: entityName).flatMap {
      lastOfGroup[groups.leader(of: model.root(of: $0).name)]
    }
  }

  /// The pass in which relationships between some entities are set; `nil` if none makes their objects.
  func pass(setting entityNames: [String]) -> Int? {
    guard !hasPolicy else { return entityNames.compactMap(lastPass).max() }
    return entityNames.compactMap { name in
      model.entity(named: name).flatMap { last[model.root(of: $0).name] }
    }.max()
  }
}
