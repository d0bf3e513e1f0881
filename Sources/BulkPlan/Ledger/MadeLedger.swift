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
  /// The values that nothing reads, where only objects show which rows are taken.
  private let unreadAtMost: [(loss: LossTrace.UncountedLoss, column: String, entity: String)]

  init(_ work: MigrationWork, _ trace: LossTrace, _ account: SourceAccount) {
    (self.work, self.trace, reads) = (work, trace, account.reads)
    unreadAtMost = account.columns().compactMap { loss in
      guard !loss.provenance.isExact, loss.provenance.parts.count == 1,
        case .column(let column, let entity, _) = loss.provenance.parts[0]
      else { return nil }
      return (loss, column, entity)
    }
    schema = work.layout.schema
    readers = EntityReaders(work.mapping)
    followed = FollowedLinks.all(by: work)
  }

  package static let leftOut = "the object at one of their ends is left out"
  package static let noElement = "the collection of forEach has no element"

  package init(_ work: MigrationWork, _ trace: LossTrace) {
    self.init(work, trace, SourceAccount(work, trace))
  }

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

  func foreseen(_ counter: SourcePartCounter) throws(StoreError) -> [MigrationPlan.Loss] {
    var result: [MigrationPlan.Loss] = []
    for values in PartlyReadValues.all(in: work, reads) {
      result += try values.foreseen(counter.counts)
    }
    for item in followed where item.links.holders.map(reads.entities.isDisjoint) != true {
      if isOnWay(item) {
        let known = trace.found.filter {
          $0.kind == .links && $0.provenance.concerns(item.links.key)
        }
        for loss in known {
          let count = try counter.count(loss.provenance)
          result.append(loss.makeLoss(count, isUpperBound: true, by: .target))
        }
      } else if item.isUnread {
        let count = try count(item.links, counter)
        let isCertain = item.links.holders?.allSatisfy(isWhole) ?? true
        result += try explained(item, count, isCertain: isCertain && item.links.isFirst, counter)
      } else {
        for part in item.foreseen(reads.entities, isWhole: isWhole) {
          let count = try count(part.links, counter, except: part.except)
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
    except others: [[ColumnExpression]] = []
  ) throws(StoreError) -> Int64 {
    try counter.counts.rows(
      in: links.rows.table,
      where: links.conditions + (links.holders == nil ? [] : [.entityIn(reads.entities.sorted())]),
      except: links.repeats(keeping: reads.entities) + others
    )
  }

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
          known.makeLoss(count, isUpperBound: !isCertain || cause == .policy, by: cause)
        )
      }
    }
    let gone = [item.links.near, item.links.far].first { reads.entities.isDisjoint(with: $0) }
    let names = (gone ?? []).map(schema.entityName(ofNumber:)).joined(separator: ", ")
    let reason = gone == nil ? LossTrace.nothingIsMade : "objects of \(names) are not migrated"
    return result
      + [item.links.loss(of: left, isUpperBound: !isCertain, by: .removed, reason)]
  }

  /// What a run knows apart from the stores.
  package struct Knowledge {
    /// The paths of attributes that policies read, from the names of the entities of their objects on.
    let readPaths: Set<String>
    /// The policies that made something of source objects and associated nothing, by the number of the source entity.
    let unassociated: [Int64: String]
    /// The links that went with objects that were left out, by relationship of the destination; `nil` if there are none.
    let rejected: [String: Int64]?
    /// Whether the source objects without any object are counted.
    let countsUnmapped: Bool
    /// Whether the files of rejects have source objects with their links; those of a later leg have not.
    let rejectsHaveLinks: Bool

    package init(
      readPaths: Set<String>,
      unassociated: [Int64: String],
      rejected: [String: Int64]?,
      countsUnmapped: Bool,
      isFirstLeg: Bool
    ) {
      self.countsUnmapped = countsUnmapped
      (self.readPaths, self.unassociated, self.rejected) = (readPaths, unassociated, rejected)
      rejectsHaveLinks = rejected != nil && isFirstLeg
    }

    /// Whether links may be lost that a plan knows to be carried.
    fileprivate var mayLoseLinks: Bool {
      !unassociated.isEmpty || rejected != nil
    }
  }

  /// The entity mappings whose objects ``counts(_:_:)`` look up in ``ListedAssociations``; none where no loss depends on
  /// objects.
  package func listed(_ knowledge: Knowledge) -> [InstanceMapping] {
    let hasRejects = knowledge.rejected != nil
    let values = partlyReadValues(knowledge).flatMap { $0.listed(hasRejects: hasRejects) }
    let readsObjects =
      hasRejects || knowledge.countsUnmapped || followed.contains { mayBeLost($0, knowledge) }
      || work.instances.relationships.contains { $0.assignments.contains(where: \.isPath) }
    let unread = unread(knowledge).flatMap(\.takers).map(\.mapping)
    let named = Set((values + unread.filter(\.isListed)).map(\.index))
    return work.instances.creations.filter {
      readsObjects && $0.mapping.isListed || named.contains($0.mapping.index)
        || hasRejects && !$0.isKnown
    }.map(\.mapping)
  }

  private func mayBeLost(_ item: FollowedLinks, _ knowledge: Knowledge) -> Bool {
    !isOnWay(item) && (knowledge.mayLoseLinks || !item.areCarried)
  }

  /// The values that a plan cannot count exactly: where the source shows which rows are taken, only objects that are left
  /// out make a difference.
  private func partlyReadValues(_ knowledge: Knowledge) -> [PartlyReadValues] {
    let hasRejects = knowledge.rejected != nil
    return PartlyReadValues.all(in: work, reads).filter { hasRejects || !$0.areKnown }
      .compactMap { $0.possible(hasRejects: hasRejects) }
  }

  /// Values that nothing reads of an entity's objects, and what takes these.
  private struct Unread {
    let losses: [LossTrace.UncountedLoss]
    let columns: [String]
    let takers: [InstanceCreation]
  }

  /// The values that nothing reads, as far as objects show which rows are taken.
  ///
  /// A policy may read them along a path, and objects do not show those of which it associates nothing.
  private func unread(_ knowledge: Knowledge) -> [Unread] {
    Dictionary(grouping: unreadAtMost, by: \.entity).sorted { $0.key < $1.key }.compactMap {
      entity,
      values in
      let takers = work.instances.creations.filter { $0.mapping.source.name == entity }
      let hidden =
        takers.contains { $0.mapping.hasPolicy }
        && (knowledge.rejected != nil
          || knowledge.unassociated[takers[0].mapping.sourceNumber] != nil)
      let found = values.filter { value in
        let property = value.loss.owner.drop { $0 != "." }
        return !hidden && !knowledge.readPaths.contains { $0.hasSuffix(property) }
      }
      return takers.isEmpty || found.isEmpty
        ? nil : Unread(losses: found.map(\.loss), columns: found.map(\.column), takers: takers)
    }
  }

  /// Whether ``counts(_:_:)`` take the place of a loss that a plan counts.
  package func countsAgain(_ loss: MigrationPlan.Loss, _ knowledge: Knowledge) -> Bool {
    unread(knowledge).contains { unread in
      unread.losses.contains {
        $0.owner == loss.owner && $0.kind == loss.kind && $0.step == loss.step
      }
    }
  }

  /// A count of losses that only made objects show.
  package struct Count {
    package let table: String
    /// The numbers in the rows with keys in a range; those of several ranges are added.
    package let numbers: (ClosedRange<Int64>) throws(StoreError) -> [Int64]
    package let losses: ([Int64]) throws(StoreError) -> [MigrationPlan.Loss]

    package init(
      _ table: String,
      _ numbers: @escaping (ClosedRange<Int64>) throws(StoreError) -> [Int64],
      losses: @escaping ([Int64]) throws(StoreError) -> [MigrationPlan.Loss]
    ) {
      (self.table, self.numbers, self.losses) = (table, numbers, losses)
    }
  }

  /// The counts of the losses that a run finds when all objects are made, and the associations of ``listed(_:)`` are
  /// listed.
  package func counts(_ lookup: RowLookup, _ knowledge: Knowledge) -> [Count] {
    let hasRejects = knowledge.rejected != nil
    var result = partlyReadValues(knowledge).map { values in
      Count(values.table) { keys throws(StoreError) in
        try values.find(lookup, hasRejects: hasRejects, within: keys)
      } losses: {
        values.losses($0)
      }
    }
    for unread in unread(knowledge) {
      let mapping = unread.takers[0].mapping
      let key = ColumnExpression.column("Z_PK")
      let taken = unread.takers.map { taker in
        taker.mapping.hasPolicy || taker.isKnown && !hasRejects
          ? taker.took : taker.mapping.whereMade(from: key)
      }
      result.append(
        Count(mapping.sourceTable) { keys throws(StoreError) in
          try lookup.counts(
            in: mapping.sourceTable,
            where: [.entityIn([mapping.sourceNumber]), .any(taken)],
            valuesIn: unread.columns,
            within: keys
          )
        } losses: { counts in
          // By now the run knows what policies read.
          zip(unread.losses, counts.dropFirst()).map { loss, count in
            let reason = loss.cause == .policy ? LossTrace.nothingIsMade : loss.reason
            return MigrationPlan.Loss(
              loss.kind,
              loss.owner,
              count,
              by: .removed,
              reason: reason,
              step: loss.step
            )
          }
        }
      )
    }
    for item in followed where mayBeLost(item, knowledge) {
      let links = item.links
      let policy = (links.near + links.far).lazy.compactMap { knowledge.unassociated[$0] }.first
      if let policy, !item.isUnread {
        let reason = "policy \(policy) associated no object with their source objects"
        result.append(
          Count(links.rows.table) { keys throws(StoreError) in
            try item.unassociated(lookup, within: keys)
          } losses: {
            [links.loss(of: $0[0], isUpperBound: true, by: .policy, reason)]
          }
        )
      }
      result.append(
        Count(links.rows.table) { keys throws(StoreError) in
          try item.lost(lookup, besidesRejects: knowledge.rejectsHaveLinks, within: keys)
        } losses: { numbers throws(StoreError) in
          try losses(of: item, numbers, hasPolicy: policy != nil, knowledge)
        }
      )
    }
    return result + countsOnPaths(lookup)
  }

  /// The losses of links that are lost; see ``FollowedLinks/lost(_:besidesRejects:within:)``.
  private func losses(
    of item: FollowedLinks,
    _ lost: [Int64],
    hasPolicy: Bool,
    _ knowledge: Knowledge
  ) throws(StoreError) -> [MigrationPlan.Loss] {
    let links = item.links
    guard lost[0] > 0 else { return [] }
    guard !item.isUnread else {
      let counter = SourcePartCounter(work.store, schema)
      return try explained(item, lost[0], isCertain: !item.isOfPolicies, counter)
    }
    let isOfPair = links.holders == nil
    let unmade = hasPolicy && isOfPair ? 0 : lost[0] - lost[1]
    let rejected = min(unmade, item.owners.reduce(0) { $0 + (knowledge.rejected?[$1] ?? 0) })
    return [
      links.loss(of: rejected, by: .rejected, Self.leftOut),
      links.loss(of: unmade - rejected, by: .target, FollowedLinks.notMigrated),
      links.loss(of: lost[1] - lost[2], by: .overlooked, FollowedLinks.overlooked),
      links.loss(of: lost[2], by: .narrowed, FollowedLinks.narrowed),
    ]
  }

  /// The ends of paths over several relationships that objects do not reach.
  private func countsOnPaths(_ lookup: RowLookup) -> [Count] {
    work.instances.relationships.flatMap { relationship in
      relationship.assignments.compactMap { side in
        guard side.isPath, let query = side.query else { return nil }
        let (near, far) = (LinkQuery.near, LinkQuery.far)
        let lost: [ColumnExpression] =
          side.mapping.whereMade(from: near) + [
            .notNull(.entityNumber(ofRowIn: query.end, key: far)),
            .none(relationship.carries(from: near, to: far, by: side)),
          ]
        let further: [[ColumnExpression]] = [
          [.any(work.instances.whereMade(from: far, in: query.end))],
          [.any(side.makers.map { $0.whereMade(from: far) })],
        ]
        return Count(query.start) { keys throws(StoreError) in
          try lookup.counts(query, where: lost, and: further, within: keys)
        } losses: { counts in
          [
            (counts[0] - counts[1], MigrationPlan.Loss.Cause.target, FollowedLinks.notMigrated),
            (counts[1] - counts[2], .overlooked, FollowedLinks.overlooked),
            (counts[2], .narrowed, FollowedLinks.narrowed),
          ].map { MigrationPlan.Loss(.links, side.name, $0.0, by: $0.1, reason: $0.2) }
        }
      }
    }
  }

  /// The first objects that lose links of each relationship, by their entities.
  package func first(
    _ limit: Int,
    _ lookup: RowLookup,
    _ knowledge: Knowledge
  ) throws(StoreError) -> [String: [(entity: String, key: Int64)]] {
    var result: [String: [(entity: String, key: Int64)]] = [:]
    for item in followed where !isOnWay(item) && !item.areCarried {
      for key in try item.first(
        limit,
        lookup,
        besidesRejects: knowledge.rejectsHaveLinks
      ) {
        guard let number = try lookup.entity(ofSourceRow: key, in: item.losers) else { continue }
        let entity = schema.entityName(ofNumber: number)
        result["\(item.links.key)", default: []].append((entity, key))
      }
    }
    return result
  }
}
