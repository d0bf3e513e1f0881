package import BulkLowering
internal import BulkModel
package import BulkStore

/// Lists the links that a migration loses where entity mappings make objects, and the values that
/// only some entity mappings read: as a plan foresees them, and as a run finds them when all
/// objects are made.
package struct MadeLedger {
  private let work: MigrationWork
  private let trace: LossTrace
  private let schema: StoreSchema
  private let readers: EntityReaders
  private let reads: WorkReads
  private let followed: [FollowedLinks]

  init(_ work: MigrationWork, _ trace: LossTrace, _ reads: WorkReads) {
    (self.work, self.trace, self.reads) = (work, trace, reads)
    schema = work.layout.schema
    readers = EntityReaders(work.mapping)
    followed = FollowedLinks.all(by: work)
  }

  /// The reason for lost links whose objects violate rules.
  package static let leftOut = "the object at one of their ends is left out"

  /// The ledger of some work, with its trace.
  package init(_ work: MigrationWork, _ trace: LossTrace) {
    self.init(work, trace, WorkReads(work.step))
  }

  /// Whether every object of an entity certainly becomes another.
  private func isWhole(_ number: Int64) -> Bool {
    schema.model.entity(named: schema.entityName(ofNumber: number)).map(readers.migrateAll)
      ?? false
  }

  /// Whether only an expression over several relationships follows links; it is not known which of them it needs.
  private func isOnWay(_ item: FollowedLinks) -> Bool {
    let links = item.links
    return item.isUnread
      && links.rows.keyColumns.contains { key in
        reads.reads(key, from: links.near + links.far)
          || (links.holders ?? []).contains { reads.reads(key.column, of: key.table, ofEntity: $0) }
      }
  }

  /// The losses that a plan foresees.
  func foreseen(_ counter: SourcePartCounter) throws(StoreError) -> [MigrationPlan.Loss] {
    var result: [MigrationPlan.Loss] = []
    for values in PartlyReadValues.all(in: work, reads) {
      let found = try values.foreseen(counter.counts)
      result.append(values.loss(of: found.count, isUpperBound: found.isUpperBound))
    }
    for item in followed where item.links.holders.map(reads.entities.isDisjoint) != true {
      if isOnWay(item) {
        let known = trace.found.filter {
          $0.kind == .links && $0.provenance.concerns(item.links.key)
        }
        for loss in known {
          let count = try counter.count(loss.provenance)
          result.append(loss.counted(count, isUpperBound: true, by: .target))
        }
      } else if item.isUnread {
        let count = try count(item.links, counter)
        let isCertain = item.links.holders?.allSatisfy(isWhole) ?? true
        result += try explained(item, count, isCertain: isCertain && item.links.isFirst, counter)
      } else {
        for part in item.foreseen(reads.entities, isWhole: isWhole) {
          let count = try count(part.links, counter, besides: part.besides)
          let isBound = part.isUpperBound
          result.append(
            item.links.loss(of: count, isUpperBound: isBound, by: part.cause, part.reason)
          )
        }
      }
    }
    return result
  }

  private func count(
    _ links: SourceLinks,
    _ counter: SourcePartCounter,
    besides others: [[RowTransfer.Condition]] = []
  ) throws(StoreError) -> Int64 {
    try counter.counts.rows(
      in: links.rows.table,
      where: links.conditions + (links.holders == nil ? [] : [.entityIn(reads.entities.sorted())]),
      besides: links.repeats(keeping: reads.entities) + others
    )
  }

  /// Links that nothing follows, by the reasons that the steps give.
  private func explained(
    _ item: FollowedLinks,
    _ count: Int64,
    isCertain: Bool,
    _ counter: SourcePartCounter
  ) throws(StoreError) -> [MigrationPlan.Loss] {
    var result: [MigrationPlan.Loss] = []
    var left = count
    let key = item.links.key
    for known in trace.found where known.kind == .links && known.provenance.concerns(key) {
      for part in known.provenance.parts where part.concerns(key) {
        let count = min(left, try counter.count(Provenance([part])))
        left -= count
        let cause = known.cause == .target ? .removed : known.cause
        result.append(
          known.counted(count, isUpperBound: !isCertain || cause == .policy, by: cause)
        )
      }
    }
    let gone = [item.links.near, item.links.far].first { reads.entities.isDisjoint(with: $0) }
    let names = (gone ?? []).map(schema.entityName(ofNumber:)).joined(separator: ", ")
    let reason = gone == nil ? LossTrace.nothingIsMade : "objects of \(names) are not migrated"
    return result
      + [item.links.loss(of: left, isUpperBound: !isCertain, by: .removed, reason)]
  }

  /// The knowledge of a run besides the stores.
  package struct Knowledge {
    /// The policies that made something of source objects and associated nothing, by the number of the source entity.
    let unassociated: [Int64: String]
    /// The links that went with objects that were left out, by relationship of the destination; `nil` if there are none.
    let rejected: [String: Int64]?

    package init(
      unassociated: [Int64: String],
      rejected: [String: Int64]?
    ) {
      (self.unassociated, self.rejected) = (unassociated, rejected)
    }

    /// Whether links and values may be lost that a plan knows to be carried.
    fileprivate var mayLoseAny: Bool {
      !unassociated.isEmpty || rejected != nil
    }
  }

  /// The entity mappings whose objects ``found(_:_:)`` looks up in ``ListedAssociations``; none where no
  /// loss depends on objects.
  package func listed(_ knowledge: Knowledge) -> [InstanceMapping] {
    let readsObjects =
      knowledge.rejected != nil || followed.contains { mayBeLost($0, knowledge) }
      || !partlyReadValues(knowledge).isEmpty
      || work.instances.relationships.contains { $0.sides.contains(where: \.isPath) }
    return readsObjects ? work.instances.creations.map(\.mapping).filter(\.isListed) : []
  }

  private func mayBeLost(_ item: FollowedLinks, _ knowledge: Knowledge) -> Bool {
    !isOnWay(item) && (knowledge.mayLoseAny || !item.areCarried)
  }

  private func partlyReadValues(_ knowledge: Knowledge) -> [PartlyReadValues] {
    PartlyReadValues.all(in: work, reads)
      .filter { knowledge.mayLoseAny || !$0.areReadInAllRows }
  }

  /// The losses that a run finds when all objects are made, and the associations of ``listed(_:)`` are listed.
  ///
  /// - Throws: ``StoreError`` if the stores cannot be read.
  package func found(
    _ lookup: RowLookup,
    _ knowledge: Knowledge
  ) throws(StoreError) -> [MigrationPlan.Loss] {
    let counter = SourcePartCounter(work.store, schema)
    var result: [MigrationPlan.Loss] = []
    for values in partlyReadValues(knowledge) {
      result.append(values.loss(of: try values.found(lookup)))
    }
    for item in followed where mayBeLost(item, knowledge) {
      let links = item.links
      let policy = (links.near + links.far).lazy.compactMap { knowledge.unassociated[$0] }.first
      if let policy, !item.isUnread {
        let reason = "policy \(policy) associated no object with their source objects"
        let count = try item.unassociated(lookup)
        result.append(links.loss(of: count, isUpperBound: true, by: .policy, reason))
      }
      let lost = try item.lost(lookup)
      guard lost.all > 0 else { continue }
      guard !item.isUnread else {
        result += try explained(item, lost.all, isCertain: !item.isOfPolicies, counter)
        continue
      }
      let isOfPair = links.holders == nil
      let unmade = policy != nil && isOfPair ? 0 : lost.all - lost.betweenObjects
      let rejected = min(unmade, item.places.reduce(0) { $0 + (knowledge.rejected?[$1] ?? 0) })
      let overlooked = lost.betweenObjects - lost.ofMakers
      result += [
        links.loss(of: rejected, by: .rejected, Self.leftOut),
        links.loss(of: unmade - rejected, by: .target, FollowedLinks.notMigrated),
        links.loss(of: overlooked, by: .overlooked, FollowedLinks.overlooked),
        links.loss(of: lost.ofMakers, by: .narrowed, FollowedLinks.narrowed),
      ]
    }
    return (result + (try foundOnPaths(lookup))).filter { $0.count > 0 }
  }

  /// The ends of paths over several relationships that objects do not reach.
  private func foundOnPaths(_ lookup: RowLookup) throws(StoreError) -> [MigrationPlan.Loss] {
    var result: [MigrationPlan.Loss] = []
    for relationship in work.instances.relationships {
      for side in relationship.sides {
        guard side.isPath, let query = side.query else { continue }
        let (near, far) = (LinkQuery.near, LinkQuery.far)
        let lost: [RowTransfer.Condition] =
          side.mapping.made(from: near) + [
            .notNull(.entityNumber(ofRowIn: query.end, key: far)),
            .none(relationship.carries(from: near, to: far, on: side)),
          ]
        let all = try lookup.count(query, where: lost)
        guard all > 0 else { continue }
        let isMade = RowTransfer.Condition.any(work.instances.made(from: far, in: query.end))
        let made = try lookup.count(query, where: lost + [isMade])
        let makers = RowTransfer.Condition.any(side.makers.map { $0.made(from: far) })
        let right = try made > 0 ? lookup.count(query, where: lost + [makers]) : 0
        for (count, cause, reason) in [
          (all - made, MigrationPlan.Loss.Cause.target, FollowedLinks.notMigrated),
          (made - right, .overlooked, FollowedLinks.overlooked),
        ] where count > 0 {
          result.append(MigrationPlan.Loss(.links, side.name, count, by: cause, reason: reason))
        }
      }
    }
    return result
  }

  /// The first objects that lose links of each relationship, by their entities.
  package func first(
    _ limit: Int,
    _ lookup: RowLookup
  ) throws(StoreError) -> [String: [(entity: String, key: Int64)]] {
    var result: [String: [(entity: String, key: Int64)]] = [:]
    for item in followed where !isOnWay(item) && !item.areCarried {
      for key in try item.first(limit, lookup) {
        guard let number = try lookup.entity(ofSourceRow: key, in: item.losers) else { continue }
        let entity = schema.entityName(ofNumber: number)
        result["\(item.links.key)", default: []].append((entity, key))
      }
    }
    return result
  }
}
