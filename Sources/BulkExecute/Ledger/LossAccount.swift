internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Closes the ledger of a migration: counts the losses that the plan could not count, and accounts
/// for every source row.
struct LossAccount {
  private let work: MigrationWork
  private let plan: MigrationPlan
  private let session: StoreSession
  private let tallies: RowTallies
  private let associations: AssociationTables
  private let trace: LossTrace
  /// `nil` if no losses depend on objects that are made, or they are not counted.
  private let ledger: MadeLedger?
  /// The source objects that no mapping took, by entity, where filters of several mappings are evaluated.
  private let untaken: [String: Int64]
  private let rejected: Checkpoint.Rejected?

  init(
    _ run: StoreRun,
    _ ledger: MadeLedger?,
    untaken: [String: Int64],
    rejected: Checkpoint.Rejected?
  ) {
    (work, plan, session) = (run.work, run.migration.plan, run.session)
    (trace, self.ledger) = (run.trace, ledger)
    (tallies, associations) = (run.tallies, run.associations)
    (self.untaken, self.rejected) = (untaken, rejected)
  }

  /// Throws ``MigrationError/unaccountedRows(_:path:)`` if rows that were read are neither made, merged,
  /// filtered nor rejected, or if nothing read them.
  func losses(_ stage: LossStage) throws -> [MigrationPlan.Loss] {
    let counts = counts()
    guard !counts.isEmpty else {
      try refuseUnaccounted()
      guard let made = work.made, ledger != nil else { return plan.losses + rejectedLinks() }
      return Ledger.sorted(known(made))
    }
    try session.transactions.batch { try refuseUnaccounted() }
    let found = try stage.losses(counts) {
      try listAssociations(ledger?.listed(knowledge) ?? [])
    }
    return Ledger.sorted(known(work.instances) + found)
  }

  func counts() -> [MadeLedger.Count] {
    guard let ledger else { return [] }
    return ledger.counts(RowLookup(session), knowledge) + mergedCounts()
  }

  private func known(_ made: InstanceWork) -> [MigrationPlan.Loss] {
    plan.losses.filter { !isCounted($0, made) } + left(made)
  }

  func firstLinks() throws -> [String: [(entity: String, key: Int64)]] {
    try ledger?.first(Self.shown, RowLookup(session)) ?? [:]
  }

  private static let shown = 10

  /// Links to objects that were left out, where rows keep their keys.
  private func rejectedLinks() -> [MigrationPlan.Loss] {
    (rejected?.links ?? [:]).sorted { $0.key < $1.key }.map { place, count in
      MigrationPlan.Loss(
        .links,
        place,
        count,
        by: .rejected,
        reason: MadeLedger.leftOut,
        step: plan.losses.last?.step ?? 1
      )
    }
  }

  private func listAssociations(_ mappings: [InstanceMapping]) throws {
    let listed = ListedAssociations(session, by: .source)
    try listed.makeTable()
    try session.together {
      for mapping in mappings {
        // Keys of objects in other tables are not those of its rows.
        let own = work.destination.entityNumbers(
          in: work.destination.table(of: mapping.destination)
        )
        try listed.add(mapping.index) { add in
          try associations.pairs(of: mapping) { if own.contains($2) { try add($0, $1) } }
        }
      }
    }
  }

  private var knowledge: MadeLedger.Knowledge {
    let forgetful = work.instances.creations.map(\.mapping).filter {
      $0.hasPolicy && tallies[$0.mapping.name].unassociated != nil
    }
    return MadeLedger.Knowledge(
      unassociated: Dictionary(
        forgetful.map { ($0.sourceNumber, $0.mapping.entityMigrationPolicyClassName ?? "") }
      ) { first, _ in first },
      rejected: rejected?.links
    )
  }

  private func mergedCounts() -> [MadeLedger.Count] {
    guard let rejected else { return [] }
    let listed = ListedAssociations(session, by: .source)
    let creations = work.instances.creations
    let merging = creations.map(\.mapping).filter {
      $0.isMerging && rejected.highestKeys[$0.destinationTable] != nil
    }
    return merging.map { mapping in
      // What another mapping took is made, or in the files of rejects.
      let made = creations.filter { $0.mapping.sourceNumber == mapping.sourceNumber }
        .map { $0.mapping.isMerging ? $0.mapping.made(from: .column("Z_PK")) : $0.took }
      return MadeLedger.Count(mapping.sourceTable) { keys throws(StoreError) in
        let count = try listed.merged(
          by: mapping.index,
          of: mapping.sourceTable,
          besides: mapping.keyOffset,
          where: [.entityIn([mapping.sourceNumber]), .none(made)],
          within: keys
        )
        return [count]
      } losses: { counts in
        let reason = "they are the same as an object that is left out"
        return [.init(.objects, mapping.source.name, counts[0], by: .rejected, reason: reason)]
      }
    }
  }

  private func isCounted(_ loss: MigrationPlan.Loss, _ instances: InstanceWork) -> Bool {
    guard loss.kind != .links else { return true }
    return switch loss.cause {
    case .target: true
    case .overlooked: loss.isUpperBound == true || rejected != nil
    case .filtered: loss.isUpperBound == true
    case .policy: loss.kind == .values && wasRead(loss.place, instances)
    case .removed, .narrowed, .leftBehind, .rejected, .stray, .missingFile: false
    }
  }

  private func wasRead(_ place: String, _ instances: InstanceWork) -> Bool {
    instances.creations.contains { creation in
      tallies[creation.mapping.mapping.name].readAttributes.contains {
        "\(creation.mapping.source.name).\($0)" == place
      }
    }
  }

  private func left(_ instances: InstanceWork) -> [MigrationPlan.Loss] {
    plan.losses.filter { $0.cause == .filtered && $0.isUpperBound == true }
      .compactMap { filtered($0, instances) } + rejected(instances)
  }

  /// Objects that satisfy no filter; where several mappings read them and objects do not show which
  /// one made them, objects that no mapping certainly took are not distinguished from those that
  /// one took.
  private func filtered(
    _ loss: MigrationPlan.Loss,
    _ instances: InstanceWork
  ) -> MigrationPlan.Loss? {
    let counts = instances.creations.filter { $0.mapping.source.name == loss.place }.map {
      tallies[$0.mapping.mapping.name].filtered + leftOut(by: $0)
    }
    let known = untaken[loss.place]
    guard let least = known ?? counts.min(), least > 0 else { return nil }
    var result = loss
    result.count = min(loss.count, least)
    result.isUpperBound = known == nil && counts.count > 1 ? true : nil
    return result
  }

  private func rejected(_ instances: InstanceWork) -> [MigrationPlan.Loss] {
    let bySource = Dictionary(grouping: work.instances.creations, by: \.mapping.source.name)
    return bySource.sorted { $0.key < $1.key }.compactMap { source, creations in
      let least = creations.map { tallies[$0.mapping.mapping.name].rejected }.min() ?? 0
      guard least > 0, let policy = creations[0].mapping.mapping.entityMigrationPolicyClassName
      else { return nil }
      return MigrationPlan.Loss(
        .objects,
        source,
        least,
        isUpperBound: creations.count > 1,
        by: .policy,
        reason: "policy \(policy) made nothing of them"
      )
    }
  }

  private func refuseUnaccounted() throws {
    let creations = work.instances.creations
    let reasons =
      creations.compactMap(difference) + (try unread())
      + (try Ledger.unaccounted(by: plan.losses, in: work, trace))
    guard reasons.isEmpty else {
      throw MigrationError.unaccountedRows(reasons, path: work.store.path)
    }
  }

  /// `nil` if the rows of a mapping balance.
  private func difference(_ creation: InstanceCreation) -> String? {
    let name = creation.mapping.mapping.name
    let tally = tallies[name]
    let rows = rows(of: name)
    let left = leftOut(by: creation)
    let became =
      !creation.mapping.derivesKeys
      ? tally.made + tally.merged + tally.rejected + tally.refused
      : tally.written + tally.merged + tally.refused
    guard rows != became + tally.filtered + left else { return nil }
    return "entity mapping \(name) reads \(rows) rows of \(creation.mapping.source.name), of which "
      + "\(became - tally.merged - tally.rejected - tally.refused) became objects, \(tally.merged) were merged, "
      + "\(tally.filtered + left) left out by the filter and \(tally.rejected + tally.refused) by the policy"
  }

  /// Empty if all rows of the source were read or counted as lost.
  private func unread() throws -> [String] {
    let planned = plan.losses.filter { $0.kind == .objects && $0.cause == .removed }
      .reduce(0) { $0 + $1.count }
    let (store, tables) = (work.store, work.layout.schema.entityTables.map(\.name))
    guard try tables.reduce(0, { $0 + (try store.mostRows(in: $1)) }) > read + planned else {
      return []
    }
    let rows = try tables.reduce(0) { $0 + (try store.rows(in: $1)) }
    guard rows > read + planned else { return [] }
    return [
      "the source has \(rows) objects, of which \(read) were read and \(planned) are counted as removed"
    ]
  }

  /// Each source row counts once.
  private var read: Int64 {
    guard let made = work.made else {
      return work.transfers.entityRows.reduce(0) { $0 + tallies[$1.destination].written }
    }
    let bySource = Dictionary(grouping: made.creations, by: \.mapping.source.name)
    return bySource.values.reduce(0) { $0 + rows(of: $1[0].mapping.mapping.name) }
  }

  /// As counted when the migration was planned.
  private func rows(of mapping: String) -> Int64 {
    change(of: mapping)?.rows ?? 0
  }

  private func leftOut(by creation: InstanceCreation) -> Int64 {
    change(of: creation.mapping.mapping.name)?.rowsLeftOut ?? 0
  }

  private func change(of mapping: String) -> MigrationPlan.EntityChange? {
    plan.passes.lazy.flatMap(\.entities).first { $0.mapping == mapping }
  }
}
