internal import BulkModel

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

  /// - Parameters:
  ///   - entities: The changes to entities, by pass.
  ///   - model: The destination model.
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
