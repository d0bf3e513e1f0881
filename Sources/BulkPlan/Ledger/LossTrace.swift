internal import BulkMapping
internal import BulkModel

/// Follows the contents of a store from version to version, and records what each step loses.
///
/// Only contents of the source store count: a value that one step adds and another removes was never in it.
package struct LossTrace {
  struct UncountedLoss {
    var step = 1
    let kind: MigrationPlan.Loss.Kind
    let owner: String
    var provenance: Provenance
    var cause: MigrationPlan.Loss.Cause
    let reason: String
  }

  static let nothingIsMade = "no mapping reads them"

  /// The losses, in the order of the steps.
  private(set) var found: [UncountedLoss] = []
  private(set) var contents: VersionContents
  private var step = 0

  init(_ steps: [MigrationStep]) {
    contents = VersionContents(of: steps[0].source)
    for step in steps { follow(step) }
  }

  package init(of work: MigrationWork) { self.init(work.singleSteps) }

  private mutating func follow(_ next: MigrationStep) {
    step += 1
    let (source, destination) = (next.source, next.destination)
    let readers = EntityReaders(next.mapping)
    let reads = SourceReads(next.mapping, between: next.models)
    let carried = SourceReads(next.mapping, between: next.models, ofRelationships: true)
    for entity in source.entities where !entity.isAbstract {
      guard let objects = contents.objects(of: entity.name) else { continue }
      guard readers.read(entity) else {
        let reason =
          destination.entity(named: entity.name) == nil
          ? "the entity is removed" : "no entity mapping reads the entity"
        add(.objects, at: entity.name, objects, .removed, reason: reason)
        notePairs(of: entity, in: source)
        continue
      }
      if let filters = readers.filters(of: entity) {
        let reason = "they do not satisfy \(filters)"
        add(.objects, at: entity.name, objects.atMost, .filtered, reason: reason)
      }
      noteValues(of: entity, in: source, readers, reads)
      noteLinks(of: entity, in: source, readers, reads, carried)
    }
    contents = contents.mapped(by: next)
  }

  private mutating func add(
    _ kind: MigrationPlan.Loss.Kind,
    at owner: String,
    _ provenance: Provenance,
    _ cause: MigrationPlan.Loss.Cause,
    reason: String
  ) {
    guard !provenance.parts.isEmpty else { return }
    found.append(
      UncountedLoss(
        step: step,
        kind: kind,
        owner: owner,
        provenance: provenance,
        cause: cause,
        reason: reason
      )
    )
  }

  private mutating func noteValues(
    of entity: EntityDescription,
    in model: ManagedObjectModel,
    _ readers: EntityReaders,
    _ reads: SourceReads
  ) {
    for attribute in model.attributes(of: entity)
    where attribute.isStored && !reads.reads(attribute, of: entity) {
      let values = contents.property(attribute.name, of: entity.name)
      noteUnread(at: "\(entity.name).\(attribute.name)", .values, values, of: entity, readers)
    }
  }

  private mutating func noteUnread(
    at owner: String,
    _ kind: MigrationPlan.Loss.Kind,
    _ provenance: Provenance,
    of entity: EntityDescription,
    _ readers: EntityReaders
  ) {
    if let policy = readers.policy(of: entity) {
      let reason = "no expression reads them, and only policy \(policy) knows whether it does"
      add(kind, at: owner, provenance.atMost, .policy, reason: reason)
    } else {
      let some = readers.filters(of: entity) == nil ? provenance : provenance.atMost
      add(kind, at: owner, some, .removed, reason: Self.nothingIsMade)
    }
  }

  /// The pairs of objects that are not migrated, which are rows of their own.
  private mutating func notePairs(of entity: EntityDescription, in model: ManagedObjectModel) {
    for relationship in model.relationships(of: entity)
    where relationship.isToMany && model.isCounted(relationship, of: entity) {
      guard model.inverse(of: relationship)?.relationship.isToMany == true else { continue }
      let owner = "\(entity.name).\(relationship.name)"
      let pairs = contents.property(relationship.name, of: entity.name)
      add(.links, at: owner, pairs, .target, reason: Self.notMigrated([entity]))
    }
  }

  private static func notMigrated(_ entities: [EntityDescription]) -> String {
    "objects of \(entities.map(\.name).joined(separator: ", ")) are not migrated"
  }

  private mutating func noteLinks(
    of entity: EntityDescription,
    in model: ManagedObjectModel,
    _ readers: EntityReaders,
    _ reads: SourceReads,
    _ carried: SourceReads
  ) {
    for relationship in model.relationships(of: entity) where !relationship.isTransient {
      guard model.isCounted(relationship, of: entity),
        let target = model.entity(named: relationship.destinationEntityName)
      else { continue }
      let links = contents.property(relationship.name, of: entity.name)
      let owner = "\(entity.name).\(relationship.name)"
      let targets = model.hierarchy(from: target).filter { !$0.isAbstract }
      guard reads.reads(relationship, of: entity) else {
        if targets.contains(where: readers.read) {
          noteUnread(at: owner, .links, links, of: entity, readers)
        } else {
          let some = readers.migrateAll(entity) ? links : links.atMost
          add(.links, at: owner, some, .target, reason: Self.notMigrated(targets))
        }
        continue
      }
      // Other rows hold these links, too.
      let isHeldThere =
        relationship.isToMany || model.inverse(of: relationship)?.relationship.isToMany == false
      if isHeldThere, !readers.migrateAll(entity) {
        let reason = "not all objects of \(entity.name) are migrated"
        add(.links, at: owner, links.atMost, .target, reason: reason)
      }
      // A relationship may also be followed only for values.
      if carried.reads(relationship, of: entity) { noteTargets(targets, at: owner, links, readers) }
    }
  }

  private mutating func noteTargets(
    _ targets: [EntityDescription],
    at owner: String,
    _ links: Provenance,
    _ readers: EntityReaders
  ) {
    let existing = targets.filter { contents.objects(of: $0.name) != nil }
    let lost = existing.filter { !readers.read($0) }
    let doubtful = existing.filter { readers.read($0) && !readers.migrateAll($0) }
    for (entities, isLost) in [(lost, true), (doubtful, false)] where !entities.isEmpty {
      let names = entities.map(\.name)
      let known = links.leading(to: step == 1 ? names : nil)
      add(
        .links,
        at: owner,
        isLost ? known : known.atMost,
        .target,
        reason: isLost
          ? Self.notMigrated(entities)
          : "not all objects of \(names.joined(separator: ", ")) are migrated"
      )
    }
  }
}

extension Provenance {
  /// The links to objects of some entities; with `nil`, at most all links.
  fileprivate func leading(to entities: [String]?) -> Provenance {
    guard let entities else { return atMost }
    let parts = parts.map { part -> SourcePart in
      guard case .links(let key, nil) = part else { return part }
      return .links(key, to: entities)
    }
    return isExact ? Provenance(parts) : Provenance(parts).atMost
  }
}

extension EntityMapping {
  fileprivate func heir(
    of name: String,
    in model: ManagedObjectModel
  ) -> RelationshipDescription? {
    let entity = destinationEntityName.flatMap { model.entity(named: $0) }
    return relationshipMappings.lazy
      .filter { self.relationship($0.name)?.continuedRelationship == name }
      .compactMap { found in
        entity.flatMap { model.relationship(named: found.name, of: $0)?.relationship }
      }.first
  }

  /// Whether links of a relationship may be lost by the form of the one that continues it.
  func narrows(_ old: RelationshipDescription, in step: MigrationStep) -> Bool {
    let (source, destination) = (step.source, step.destination)
    guard let new = heir(of: old.name, in: destination) else { return false }
    // Without an inverse the members of a to-many relationship have the key of their one owner.
    let wasShared = source.inverse(of: old)?.relationship.isToMany ?? !old.isToMany
    let isShared = destination.inverse(of: new)?.relationship.isToMany ?? !new.isToMany
    let targets = source.targets(of: old)
    let made = targets.flatMap(step.mappings(reading:)).compactMap(\.destinationEntityName)
    // The key at this end of a one-to-one relationship is lost, and with it the links that only it
    // shows.
    let losesKey = !old.isToMany && new.isToMany && !wasShared
    return old.isToMany && !new.isToMany || wasShared && !isShared || losesKey || uniqueness != nil
      || !destination.targets(of: new).isSuperset(of: made)
  }
}

extension ManagedObjectModel {
  func targets(of relationship: RelationshipDescription) -> Set<String> {
    Set(
      entity(named: relationship.destinationEntityName).map { hierarchy(from: $0).map(\.name) }
        ?? []
    )
  }

  /// Whether the links of a relationship are counted at this side, not at its inverse.
  func isCounted(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) -> Bool {
    guard let inverse = inverse(of: relationship),
      let owner = self.relationship(named: relationship.name, of: entity)?.owner
    else { return true }
    if relationship.isToMany != inverse.relationship.isToMany { return !relationship.isToMany }
    let own = "\(owner.name).\(relationship.name)"
    let other = "\(inverse.owner.name).\(inverse.relationship.name)"
    return own == other || CodeUnitOrder.precedes(own, other)
  }
}

/// The entity mappings that read the objects of each source entity.
struct EntityReaders {
  private let bySource: [String: [EntityMapping]]

  init(_ mapping: MappingModel) {
    bySource = Dictionary(
      grouping: mapping.entityMappings.filter { $0.destinationEntityName != nil },
      by: { $0.sourceEntityName ?? "" }
    )
  }

  private func all(_ entity: EntityDescription) -> [EntityMapping] { bySource[entity.name] ?? [] }

  func read(_ entity: EntityDescription) -> Bool { !all(entity).isEmpty }

  /// Whether every object of an entity certainly becomes another one.
  func migrateAll(_ entity: EntityDescription) -> Bool {
    all(entity).contains {
      $0.filter == nil && $0.entityMigrationPolicyClassName == nil && $0.elements == nil
    }
  }

  /// Whether each of its mappings reads every object of an entity.
  func readWholly(_ entity: EntityDescription) -> Bool {
    all(entity).allSatisfy {
      $0.filter == nil && $0.entityMigrationPolicyClassName == nil && $0.elements == nil
    }
  }

  /// The filters, at least one of them satisfied by an object; `nil` where a mapping reads all objects.
  func filters(of entity: EntityDescription) -> String? {
    let filters = all(entity).map { $0.filter?.description }
    guard !filters.isEmpty, !filters.contains(nil) else { return nil }
    return filters.compactMap(\.self).joined(separator: " or ")
  }

  func policy(of entity: EntityDescription) -> String? {
    all(entity).lazy.compactMap(\.entityMigrationPolicyClassName).first
  }
}
