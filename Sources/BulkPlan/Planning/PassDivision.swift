internal import BulkMapping
internal import BulkModel

/// Divides the changes to entities into passes.
///
/// The requests of mapping files come first: each file, or each list of entities, by itself. All
/// other entities stay together where inheritance or relationships connect them, because the
/// relationships between them are made in one pass.
struct PassDivision {
  struct Change {
    var change: MigrationPlan.EntityChange
    /// The root entity in the destination; `nil` for an entity that is removed with its whole table.
    let root: String?
  }

  struct Group {
    var name: String
    var roots: [String]
    var changes: [Change]
  }

  /// The passes in their order, each with another name.
  private(set) var groups: [Group] = []

  init(
    _ changes: [Change],
    in model: ManagedObjectModel,
    _ requests: [PassRequest]
  ) {
    var rest = changes
    for request in requests {
      let own = rest.filter(request.covers)
      rest.removeAll(where: request.covers)
      add(own, request, model)
    }
    let orphans = rest.filter { $0.root == nil }
    addRest(rest.filter { $0.root != nil }, model, isAlone: requests.isEmpty)
    if let first = orphans.first {
      groups.append(Group(name: first.change.entity, roots: [], changes: orphans))
    }
    makeNamesUnique()
  }

  private mutating func add(
    _ own: [Change],
    _ request: PassRequest,
    _ model: ManagedObjectModel
  ) {
    let changed = Set(own.compactMap(\.root))
    let roots = model.roots.map(\.name).filter(changed.contains)
    guard !request.isWhole else {
      if !own.isEmpty { groups.append(Group(name: request.name, roots: roots, changes: own)) }
      return
    }
    let divided = EntityGroups(model, among: Set(roots)).groups(of: roots)
    let byRoot = ChangesByRoot(own)
    for roots in divided {
      let changes = byRoot.changes(of: roots)
      let entity = changes.first.map { ".\($0.change.entity)" } ?? ""
      groups.append(
        Group(
          name: request.name + (divided.count > 1 ? entity : ""),
          roots: roots,
          changes: changes
        )
      )
    }
  }

  /// Adds the changes that no file requests; an entity that is removed from a table, or whose rows keep their keys, is listed
  /// where the table is filled.
  private mutating func addRest(
    _ rest: [Change],
    _ model: ManagedObjectModel,
    isAlone: Bool
  ) {
    var rest = rest
    for index in groups.indices {
      let isHere = { [roots = Set(groups[index].roots)] (change: Change) in
        let isTaken = change.change.change == .removed || change.change.mapping == nil
        return isTaken && change.root.map(roots.contains) ?? false
      }
      groups[index].changes += rest.filter(isHere)
      rest.removeAll(where: isHere)
    }
    let changed = Set(rest.compactMap(\.root))
    let roots = model.roots.map(\.name).filter { isAlone || changed.contains($0) }
    let byRoot = ChangesByRoot(rest)
    for roots in EntityGroups(model, among: Set(roots)).groups(of: roots) {
      let changes = byRoot.changes(of: roots)
      let name = changes.first?.change.entity ?? roots.first ?? ""
      groups.append(Group(name: name, roots: roots, changes: changes))
    }
  }

  private mutating func makeNamesUnique() {
    var known: Set<String> = []
    for index in groups.indices {
      let name = groups[index].name
      var number = 2
      while !known.insert(groups[index].name).inserted {
        groups[index].name = "\(name)-\(number)"
        number += 1
      }
    }
  }
}

/// Changes in their order, found by their root entities.
private struct ChangesByRoot {
  private let all: [PassDivision.Change]
  private let indexes: [String?: [Int]]

  init(_ changes: [PassDivision.Change]) {
    all = changes
    indexes = Dictionary(grouping: changes.indices) { changes[$0].root }
  }

  func changes(of roots: [String]) -> [PassDivision.Change] {
    roots.flatMap { indexes[$0] ?? [] }.sorted().map { all[$0] }
  }
}

extension PassRequest {
  fileprivate func covers(_ change: PassDivision.Change) -> Bool {
    let found = change.change
    guard found.change != .removed else { return false }
    return found.mapping.map(entityMappings.contains) ?? destinations.contains(found.entity)
  }
}
